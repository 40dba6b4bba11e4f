import { describeStore } from './describe-store.ts';

describeStore([2, 4, 12, 15]);
