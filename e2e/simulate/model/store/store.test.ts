import { describeStore } from './describe-store.ts';

// Between them these worlds make every kind of statement; more of chance: `store.long.test.ts`.
describeStore([3, 5]);
