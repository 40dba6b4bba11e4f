import { handOver } from './bootstrap/hand-over.mjs';

await handOver('scripts/testing/bench.ts');
