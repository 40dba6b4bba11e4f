import { handOver } from './bootstrap/hand-over.mjs';

await handOver('e2e/simulate/main.ts');
