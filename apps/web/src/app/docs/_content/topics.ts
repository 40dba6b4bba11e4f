import { errors } from './errors.tsx';
import { goingLive } from './going-live.tsx';
import { idempotency } from './idempotency.tsx';
import { lists } from './lists.tsx';
import { migrating } from './migrating.tsx';
import { payments } from './payments.tsx';
import { quickstart } from './quickstart.tsx';
import { rateLimits } from './rate-limits.tsx';
import { refunds } from './refunds.tsx';
import { testing } from './testing.tsx';
import { tools } from './tools.tsx';
import type { Topic } from './topic.ts';
import { webhooks } from './webhooks.tsx';

/** The topics in the order in which an integration needs them. */
export const TOPIC_GROUPS: readonly { readonly title: string; readonly topics: readonly Topic[] }[] = [
  { title: 'Get started', topics: [quickstart, tools, migrating] },
  { title: 'Take payments', topics: [payments, webhooks, refunds, lists] },
  { title: 'Get it right', topics: [errors, idempotency, rateLimits] },
  { title: 'Ship it', topics: [testing, goingLive] },
];

/** Every topic, in that order. */
export const TOPICS: readonly Topic[] = TOPIC_GROUPS.flatMap(({ topics }) => topics);
