import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of staff. */
export type StaffContext = RuntimeContext<'auditKeys' | 'configuration' | 'database'>;

/** Dependencies of issuing tokens and of authenticating with them. */
export type TokenContext = RuntimeContext<'auditKeys' | 'database' | 'keyPepper'>;
