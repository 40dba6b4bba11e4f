import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of merchants, keys and gateway accounts. */
export type MerchantsContext = RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'keyPepper' | 'secrets' | 'vault'>;
