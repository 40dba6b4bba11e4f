import type { IncidentKind, IncidentSeverity, Mode } from '@switchyard/db/client';
import type { HealthContext } from '@switchyard/provider-health';
import type { Clock } from '@switchyard/routing';
import type { Permission } from '@switchyard/staff/permissions';
import type { z } from 'zod';
import type { AttentionContext } from '../context.ts';

/** A figure of a finding with its name. */
export interface Figure {
  readonly label: string;
  readonly value: string;
}

/** Where something is done about a finding: a page of the dashboard, and what the link to it says. */
export interface FindingAction {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly label: string;
  /** The permission to do it; who lacks it can only look at the page. */
  readonly needs?: Permission;
}

/** A finding in words. */
export interface FindingText {
  /** `Paystack (paystack-main) is down` */
  readonly title: string;
  /** Why, in one sentence with figures. */
  readonly why: string;
  readonly figures: readonly Figure[];
  readonly action: FindingAction;
}

/** The reader of a text: the merchants they may know of (null for all), and how times are written for them. */
export interface Reader {
  readonly merchantIds: readonly string[] | null;
  readonly clock: Clock;
  /** True of what is over: it is described in the past. */
  readonly ended: boolean;
}

/** The conditions that are looked for. A kind may find others: `isVisible` decides who sees one. */
export interface ConditionQuery {
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null;
  /** Null for both modes. */
  readonly mode: Mode | null;
  /** True if those of the workspace are looked for. */
  readonly workspace: boolean;
  readonly now: Date;
}

/** The person whose work is looked for. */
export interface TaskQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly staffId: string;
}

/** Identifies an incident among the open ones. */
export interface IncidentKey {
  /** The nil UUID for the workspace. */
  readonly merchantId: string;
  readonly mode: Mode;
  readonly kind: IncidentKind;
  /** Id of the object it is about, where a merchant may have several of the kind. */
  readonly subject: string;
}

/** A condition as its kind finds it. */
export interface FoundCondition<Facts> extends IncidentKey {
  readonly since: Date;
  readonly facts: Facts;
  /** That of its kind unless it is given. */
  readonly severity?: IncidentSeverity;
  /** False for a condition that keeps an incident open without opening one: an account that is being probed. */
  readonly opens?: boolean;
  /**
   * True for an account that has been probed for so long without another fault that nothing shows its trouble any more. It keeps its own
   * incident open until it has proved itself, and no correlated outage.
   */
  readonly isUnproven?: boolean;
}

/** A person's work as its kind finds it. */
export interface FoundTask<Facts> {
  readonly merchantId: string;
  readonly subject: string;
  /** Null where nothing records it. */
  readonly since: Date | null;
  readonly facts: Facts;
}

interface Described<Facts extends z.ZodType> {
  readonly title: string;
  /** Unless a condition says otherwise. Information is work that waits without a fault. */
  readonly severity: IncidentSeverity;
  /** The permission to see it: staff users need it for its merchant, beside the one to read alerts. */
  readonly permission: Permission;
  /** True of money that is owed to customers: it is listed before what is as severe. */
  readonly isOwed?: boolean;
  /**
   * Codes, figures and instants in ISO 8601; `of` says which. Never data of customers. Names are those of accounts, keys and staff users.
   */
  readonly facts: Facts;
  readonly describe: (facts: z.output<Facts>, reader: Reader) => FindingText;
}

/** Finds all conditions of a kind, or of several kinds that are read together: these share the function, which is called once for them. */
type FindConditions<Facts> = (context: HealthContext, query: ConditionQuery) => Promise<readonly FoundCondition<Facts>[]>;

interface IncidentDefinition<Facts extends z.ZodType, Found> extends Described<Facts> {
  /** False where nothing ends that anyone could be informed of. */
  readonly sendsRecovery: boolean;
  readonly find: FindConditions<Found>;
}

interface TaskDefinition<Facts extends z.ZodType> extends Described<Facts> {
  readonly find: (context: AttentionContext, query: TaskQuery) => Promise<readonly FoundTask<z.output<Facts>>[]>;
}

/** A text of any facts: null where they are not of the kind. */
type DescribeAny = (facts: unknown, reader: Reader) => FindingText | null;
type Kind<Definition> = Omit<Definition, 'describe'> & { readonly describe: DescribeAny };

/** A kind whose conditions open incidents. */
export function incidentKind<Facts extends z.ZodType, Found>(
  definition: IncidentDefinition<Facts, Found>,
): Kind<IncidentDefinition<Facts, Found>> {
  return { ...definition, describe: describeAny(definition) };
}

/** A kind of a person's own work: listed for whom it waits for, opens no incident and sends no message. */
export function taskKind<Facts extends z.ZodType>(definition: TaskDefinition<Facts>): Kind<TaskDefinition<Facts>> {
  return { ...definition, describe: describeAny(definition) };
}

function describeAny<Facts extends z.ZodType>({ facts, describe }: Described<Facts>): DescribeAny {
  return (stored, reader) => {
    const parsed = facts.safeParse(stored);
    return parsed.success ? describe(parsed.data, reader) : null;
  };
}
