import { handOver } from './bootstrap/hand-over.mjs';

await handOver('e2e/drill/main.ts');
