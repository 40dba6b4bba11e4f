import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of rule sets and overrides. */
export type RuleSetsContext = RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'publicUrl'>;
