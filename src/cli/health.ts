import { checkHealth } from '../ops/health-check.ts';

process.exit(await checkHealth(process.env));
