import { handOver } from './bootstrap/hand-over.mjs';

await handOver('scripts/stack/main.ts');
