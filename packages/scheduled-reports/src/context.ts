import type { RuntimeContext } from '@switchyard/runtime';
import type { Mailer } from '@switchyard/runtime/mail';

/** Dependencies of schedules: making, changing and listing them. */
export type SchedulesContext = RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'keyPepper' | 'publicUrl'>;

/** Dependencies of making and sending reports. */
export interface RunsContext
  extends RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'keyPepper' | 'publicUrl' | 'reports'> {
  /** Null where e-mail is not set up. */
  readonly mailer: Mailer | null;
  readonly report: (error: unknown, doing: string) => void;
}

/** Dependencies of downloads. */
export type LinksContext = RuntimeContext<'auditKeys' | 'database'>;
