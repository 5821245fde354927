import { checkHealth } from './health-check.ts';

process.exit(await checkHealth(process.env));
