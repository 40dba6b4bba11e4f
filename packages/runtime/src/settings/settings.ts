import { z } from 'zod';

/** A process of an installation. */
type SettingsReader = 'web' | 'worker' | 'reporting';

/** An environment variable as the documentation describes it. */
export interface VariableDescription {
  readonly of: readonly SettingsReader[];
  readonly needed?: 'yes' | 'with SMTP';
  /** Where nothing is set and the schema has no default. */
  readonly unset?: string;
  readonly meaning: string;
}

/** Descriptions of the schemas in {@link SETTINGS}. */
export const descriptions = z.registry<VariableDescription>();

const ALL = ['web', 'worker', 'reporting'] as const;
const SERVERS = ['web', 'reporting'] as const;
const PORT_MAX = 65_535;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const databaseUrl = () => z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address');
const base64Key = () =>
  z.string().refine((text) => Buffer.from(text, 'base64').length >= 32, 'must be base64 of at least 32 bytes');
const address = () => z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });
const number = (min: number, max: number, error: string) => z.coerce.number(error).min(min, error).max(max, error);
const integer = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return number(min, max, error).int(error);
};
const port = () => z.string().regex(/^\d+$/, 'is no port').transform(Number).pipe(z.number().max(PORT_MAX, 'is no port'));
/** 0 switches the limit off. */
const limit = (usual: number) =>
  number(0, Number.MAX_SAFE_INTEGER, 'must be a number, 0 for no limit')
    .transform((value) => (value === 0 ? null : value))
    .default(usual);

/**
 * Every environment variable that the processes of an installation read: its type, its default, who reads it, and its meaning. The table
 * of docs/production.md is this one.
 */
export const SETTINGS = z.object({
  DATABASE_URL: databaseUrl().register(descriptions, { of: ALL, needed: 'yes', meaning: 'PostgreSQL, the primary' }),
  SWITCHYARD_ENCRYPTION_KEYS: z
    .string()
    .register(descriptions, { of: ALL, needed: 'yes', meaning: 'ring of keys for stored secrets: `id:base64,…`' }),
  SWITCHYARD_KEY_PEPPER: base64Key().register(descriptions, {
    of: ALL,
    needed: 'yes',
    meaning: 'base64 of at least 32 bytes',
  }),
  SWITCHYARD_PUBLIC_URL: address().register(descriptions, {
    of: ALL,
    needed: 'yes',
    meaning: 'as customers and gateways reach it',
  }),
  SWITCHYARD_AUTH_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .register(descriptions, { of: SERVERS, needed: 'yes', meaning: 'at least 32 characters' }),
  SWITCHYARD_AUDIT_KEYS: z
    .string()
    .optional()
    .register(descriptions, { of: ALL, unset: 'derived', meaning: 'ring of keys for the audit log' }),
  SWITCHYARD_REPORTING_URL: address()
    .default('http://127.0.0.1:3001')
    .register(descriptions, { of: ['web'], meaning: 'where reporting is' }),
  SWITCHYARD_PRIVATE_ADDRESSES: z
    .literal('allow', 'must be allow or empty')
    .optional()
    .register(descriptions, {
      of: ['web', 'worker'],
      meaning:
        '`allow`: in test mode, webhook endpoints, alert channels and gateway accounts may be on this machine, at its public addresses too, or on a private network. For development only: answers are stored and shown',
    }),
  SWITCHYARD_REPLICA_URL: databaseUrl()
    .optional()
    .register(descriptions, { of: ['reporting'], unset: 'the primary', meaning: 'a streaming replica' }),
  SWITCHYARD_TRUSTED_PROXIES: integer(0, 10)
    .default(0)
    .register(descriptions, { of: ['web'], meaning: 'proxies in front' }),
  SWITCHYARD_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address')
    .optional()
    .register(descriptions, { of: ['web', 'worker'], meaning: '`smtps://user:password@host`' }),
  SWITCHYARD_MAIL_FROM: z
    .string()
    .min(3, 'must say whom letters are from')
    .optional()
    .register(descriptions, { of: ['web', 'worker'], needed: 'with SMTP', meaning: 'sender' }),
  SWITCHYARD_REQUESTS_PER_SECOND: number(1, Number.MAX_SAFE_INTEGER, 'must be a number from 1')
    .default(1_000)
    .register(descriptions, { of: ['web'], meaning: 'of one API key, in one process' }),
  SWITCHYARD_REQUEST_LOG: z
    .enum(['all', 'refused', 'off'], 'must be all, refused or off')
    .default('all')
    .register(descriptions, {
      of: ['web'],
      meaning: 'requests with API keys that the dashboard lists: `all`, `refused`, `off`',
    }),
  SWITCHYARD_LOOKUPS_PER_SECOND: number(0.1, 10_000, 'must be a number from 0.1 to 10000')
    .default(20)
    .register(descriptions, { of: ['worker'], meaning: 'scheduled status checks at one account, in one process' }),
  SWITCHYARD_LOOKUPS_AT_ONCE: integer(1, 1_000)
    .default(10)
    .register(descriptions, { of: ['worker'], meaning: 'the same, at once' }),
  PORT: port()
    .default(3_000)
    .register(descriptions, { of: ['web'], meaning: 'where it listens' }),
  HOST: z
    .string()
    .default('0.0.0.0')
    .register(descriptions, { of: ['web'], meaning: 'where it listens' }),
  REPORTING_PORT: port()
    .default(3_001)
    .register(descriptions, { of: ['reporting'], meaning: 'where it listens' }),
  REPORTING_HOST: z
    .string()
    .default('127.0.0.1')
    .register(descriptions, { of: ['reporting'], meaning: 'where it listens' }),
  METRICS_PORT: port()
    .optional()
    .register(descriptions, { of: ['web'], meaning: 'port for metrics and health' }),
  WORKER_METRICS_PORT: port()
    .optional()
    .register(descriptions, { of: ['worker'], meaning: 'port for metrics and health' }),
  REPORTING_METRICS_PORT: port()
    .optional()
    .register(descriptions, { of: ['reporting'], meaning: 'port for metrics and health' }),
  METRICS_HOST: z.string().default('127.0.0.1').register(descriptions, { of: ALL, meaning: 'address of these ports' }),
  METRICS_TOKEN: z.string().optional().register(descriptions, { of: ALL, meaning: 'required of scrapes' }),
  DRAIN_DELAY_MS: number(0, 300_000, 'must be a number of milliseconds up to 300000')
    .default(0)
    .register(descriptions, { of: SERVERS, meaning: 'answers for so long after SIGTERM, while it is not ready' }),
  SHED_OWN_MAX: limit(1_000).register(descriptions, {
    of: SERVERS,
    meaning: 'most requests in flight that do not wait for a gateway',
  }),
  SHED_WAIT_MS: limit(3_000).register(descriptions, {
    of: SERVERS,
    meaning: 'how long reads and the dashboard wait for their turn',
  }),
  SHED_IN_FLIGHT_MAX: limit(4_000).register(descriptions, { of: SERVERS, meaning: 'most requests in flight' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .optional()
    .register(descriptions, { of: ALL, meaning: 'where traces are sent; none are made without it' }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .string()
    .optional()
    .register(descriptions, { of: ALL, meaning: 'the same, the whole address' }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .register(descriptions, { of: ALL, meaning: 'of pino' }),
});

/** Environment variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An environment variable is missing or invalid; the message names each one. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/**
 * Reads those variables of an environment that a part of {@link SETTINGS} has: `SETTINGS.pick({ PORT: true })`. An empty one counts as not
 * set. Throws {@link EnvironmentError} naming every variable that is wrong.
 */
export function readSettings<Part extends z.ZodObject>(part: Part, environment: Environment): z.output<Part> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = part.safeParse(set);
  if (parsed.success) return parsed.data;
  const problems = new Map(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
  throw new EnvironmentError(
    [...problems].map(([name, message]) => `${name} ${name in set ? message : 'is not set'}`).join('; '),
  );
}

/**
 * Checks every variable that a process reads, before it opens anything. Throws {@link EnvironmentError} naming every variable that is
 * missing or wrong.
 */
export function checkSettings(reader: SettingsReader, environment: Environment): void {
  const own = Object.entries(SETTINGS.shape).filter(([, schema]) => descriptions.get(schema)?.of.includes(reader));
  const hasMail = own.some(([name]) => name === 'SWITCHYARD_MAIL_FROM') && Boolean(environment.SWITCHYARD_SMTP_URL);
  readSettings(z.object({ ...Object.fromEntries(own), ...(hasMail && { SWITCHYARD_MAIL_FROM: MAIL_FROM }) }), environment);
}

const MAIL_FROM = SETTINGS.shape.SWITCHYARD_MAIL_FROM.unwrap();
