import { describeStore } from './describe-store.ts';

// Two worlds that make every statement between them; others, of chance: `store.long.test.ts`.
describeStore([3, 5]);
