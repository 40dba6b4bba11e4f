import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Permission } from '../trpc/use-can.ts';

/** How far a merchant is set up. */
export type Setup = NonNullable<RouterOutputs['setup']['read']>;

type Step = Setup['steps'][number]['step'];

interface StepCopy {
  readonly title: string;
  /** Purpose of the step, or the condition that counts as done. */
  readonly hint: string;
  /** Where it is done. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly mode: 'test' | 'live';
  /** The permission to do it. */
  readonly permission: Permission;
}

/** The steps of setting up a merchant, as people read them. */
export const SETUP_LABELS: Readonly<Record<Step, StepCopy>> = {
  merchant: {
    title: 'Add a merchant',
    hint: 'A business whose servers start payments.',
    path: '/merchants',
    query: { do: 'create' },
    mode: 'test',
    permission: 'merchant:create',
  },
  account: {
    title: 'Add a gateway account',
    hint: 'Start with the test credentials of a gateway.',
    path: '/gateways',
    query: { do: 'connect' },
    mode: 'test',
    permission: 'gateway:configure',
  },
  connection: {
    title: 'Test its connection',
    hint: 'The gateway accepts the credentials; no money moves.',
    path: '/gateways',
    mode: 'test',
    permission: 'gateway:configure',
  },
  key: {
    title: 'Create a test key',
    hint: 'The merchant’s server signs its requests with it.',
    path: '/keys',
    query: { do: 'issue' },
    mode: 'test',
    permission: 'key:issue',
  },
  test_payment: {
    title: 'Make the first test payment',
    hint: 'Done once a test payment succeeded.',
    path: '/payments',
    mode: 'test',
    permission: 'payment:read',
  },
  webhook: {
    title: 'Add a webhook endpoint',
    hint: 'Done once it answered a delivery with HTTP 2xx.',
    path: '/webhooks',
    query: { do: 'create' },
    mode: 'test',
    permission: 'webhook:configure',
  },
  rules: {
    title: 'Publish routing rules',
    hint: 'Which account takes which payment, and what comes next when it fails.',
    path: '/routing',
    mode: 'test',
    permission: 'routing:publish',
  },
  team: {
    title: 'Invite a colleague',
    hint: 'So that a second person can act.',
    path: '/team',
    query: { do: 'invite' },
    mode: 'test',
    permission: 'team:manage',
  },
  live_account: {
    title: 'Add a live gateway account',
    hint: 'With the gateway’s live credentials.',
    path: '/gateways',
    query: { do: 'connect' },
    mode: 'live',
    permission: 'gateway:configure',
  },
  live_key: {
    title: 'Create a live key',
    hint: 'Its payments move money.',
    path: '/keys',
    query: { do: 'issue' },
    mode: 'live',
    permission: 'key:issue',
  },
  live_payment: {
    title: 'Receive the first live payment',
    hint: 'Done once a live payment succeeded.',
    path: '/payments',
    mode: 'live',
    permission: 'payment:read',
  },
};
