import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of privacy. */
export type PrivacyContext = RuntimeContext<'auditKeys' | 'database' | 'keyPepper' | 'vault'>;
