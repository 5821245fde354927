import { withNewNames } from '../app/old-names.ts';
import { checkHealth } from '../ops/health-check.ts';

process.exit(await checkHealth(withNewNames(process.env).environment));
