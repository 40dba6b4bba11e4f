import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of events to merchants. */
export type WebhooksContext = RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'vault'>;
