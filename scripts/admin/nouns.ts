import { z } from 'zod';
import { option, type Verb, verb } from './verb.ts';

const text = z.string();
const count = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'has to be a whole number above 0')
  .transform(Number);
const merchantId = z.uuid("has to be a merchant's id");
const noOptions = z.object({});

const backup = option(text, { value: 'FOLDER', about: 'where the backups are: base backups in base, the log in wal' });

const customer = {
  merchant: option(text, { value: 'NUMBER_OR_ID', about: 'whose customer it is, by its number (M-100001) or its id' }),
  mode: option(z.enum(['live', 'test'], 'has to be live or test').default('live'), {
    value: 'MODE',
    about: 'live, which is the default, or test',
  }),
  email: option(text.optional(), { value: 'ADDRESS', about: 'find the customer by e-mail address' }),
  phone: option(text.optional(), { value: 'NUMBER', about: 'find the customer by phone number' }),
  'customer-id': option(text.optional(), { value: 'ID', about: "find the customer by the merchant's id of the customer" }),
};

const owner = {
  create: verb({
    about: 'invites an owner of all merchants, the first of an installation too; prints a link that works once, for seven days',
    schema: z.object({
      email: option(text, { value: 'ADDRESS', about: 'where the owner gets mail' }),
      name: option(text, { value: 'NAME', about: 'what the owner is called' }),
    }),
    load: async () => (await import('./owner.ts')).createOwner,
    failed: 1,
    hint: 'docs/production.md says what has to be set.',
  }),
};

const keys = {
  rotate: verb({
    about: 'seals what is encrypted with the first key of SWITCHYARD_ENCRYPTION_KEYS, and says which keys can be removed',
    schema: z.object({ 'dry-run': option(z.boolean().default(false), { about: 'only counts' }) }),
    load: async () => (await import('./keys.ts')).rotate,
    hint: 'Nothing that was sealed already has to be done again: run it once more.',
  }),
};

const audit = {
  verify: verb({
    about: 'verifies the hash chains of the audit log, and prints the head of each to keep where the database cannot write',
    schema: z.object({
      merchant: option(merchantId.optional(), { value: 'ID', about: 'the chain of this merchant alone' }),
      head: option(text.optional(), {
        value: 'FILE',
        about: 'also against these heads, which an earlier run printed: a chain cut off at its end is detected',
      }),
    }),
    load: async () => (await import('./audit.ts')).verifyChains,
  }),
};

const customers = {
  export: verb({
    about: "writes what is held about a merchant's customer to files",
    schema: z.object({ ...customer, out: option(text.default('.'), { value: 'FOLDER', about: 'where the files go' }) }),
    load: async () => (await import('./customers.ts')).exportCustomer,
  }),
  erase: verb({
    about: "says what would be erased of a merchant's customer and what confirms it; erases it once that is given",
    schema: z.object({
      ...customer,
      confirm: option(text.optional(), { value: 'WORDS', about: 'erases: "erase 3 payments". It cannot be undone' }),
    }),
    load: async () => (await import('./customers.ts')).eraseCustomer,
  }),
};

const decisions = {
  verify: verb({
    about: 'recomputes routing decisions from what is stored and compares each with what was stored',
    schema: z.object({
      sample: option(count.optional(), { value: 'N', about: 'about so many, drawn at random' }),
      merchant: option(merchantId.optional(), { value: 'ID', about: 'those of this merchant alone' }),
    }),
    load: async () => (await import('./decisions.ts')).verify,
  }),
};

const reports = {
  check: verb({
    about: 'compares the roll-ups that reports are read from with payments and attempts, to the last unit',
    schema: noOptions,
    load: async () => (await import('./reports.ts')).check,
  }),
  rebuild: verb({
    about: 'rebuilds all roll-ups while payments continue, then compares them',
    schema: noOptions,
    load: async () => (await import('./reports.ts')).rebuild,
  }),
};

const backups = {
  archive: verb({
    about: 'has PostgreSQL archive its log into the folder, from its next start on',
    schema: z.object({ backup }),
    load: async () => (await import('./backups.ts')).archive,
  }),
  base: verb({
    about: 'takes a base backup of a server on this machine',
    schema: z.object({ backup }),
    load: async () => (await import('./backups.ts')).takeBase,
  }),
  prune: verb({
    about: 'removes older base backups, and the log that only they needed',
    schema: z.object({
      backup,
      keep: option(count.default(2), { value: 'N', about: 'how many base backups stay, 2 unless given' }),
    }),
    load: async () => (await import('./backups.ts')).prune,
  }),
  restore: verb({
    about: 'restores to a moment into a new data folder, and compares the copy with what was asked for',
    schema: z.object({
      backup,
      to: option(moment(), { value: 'MOMENT', about: 'a moment with an offset (2026-11-22T21:31:19Z), or latest' }),
      data: option(text, { value: 'FOLDER', about: 'the data folder to make' }),
      timeline: option(count.optional(), { value: 'N', about: 'the timeline to follow' }),
      'quiet-minutes': option(count.default(10), {
        value: 'N',
        about: 'how old the newest payment may be at that moment, 10 unless given',
      }),
      programs: option(text.optional(), {
        value: 'FOLDER',
        about: "where PostgreSQL's programs are; the embedded ones unless given",
      }),
    }),
    load: async () => (await import('./backups.ts')).restoreAndCheck,
  }),
};

/** Null is the end of the log. */
function moment() {
  const latest = z.literal('latest').transform(() => null);
  const at = z.iso.datetime({ offset: true }).transform((written) => new Date(written));
  return z.union([latest, at], 'has to be a moment with an offset (2026-11-22T21:31:19Z), or latest');
}

const SHARDS_MAX = 1_024;

const database = {
  deploy: verb({
    about: 'brings the database to this version: migrations, tables of the job queue, empty tables of a Citus cluster',
    schema: noOptions,
    load: async () => (await import('./database.ts')).deploy,
    failed: 1,
    // The schema engine's time limit for its lock would keep it for ten seconds after the last migration.
    lingers: true,
  }),
  distribute: verb({
    about: 'spreads tables with rows over the nodes of a Citus cluster, whose coordinator DATABASE_URL names',
    schema: z.object({
      shards: option(count.refine((shards) => shards <= SHARDS_MAX, `has to be at most ${SHARDS_MAX}`).optional(), {
        value: 'N',
        about: "parts of each table, the server's citus.shard_count unless given",
      }),
      check: option(z.boolean().default(false), { about: 'says what is wrong with the cluster, and changes nothing' }),
    }),
    load: async () => (await import('./database.ts')).distributeRows,
    failed: 1,
  }),
  'set-aside': verb({
    about: 'keeps the data under another name, so that the next start begins with an empty database',
    schema: noOptions,
    load: async () => (await import('./database.ts')).setAside,
    failed: 1,
  }),
};

const rules = {
  check: verb({
    about: "checks exported routing rules without a database, in a merchant's own pipeline",
    schema: z.object({
      rules: option(text, { value: 'FILE', about: 'the rules', isOperand: true }),
      accounts: option(text.optional(), { value: 'FILE', about: "the merchant's accounts, exported beside the rules" }),
      strict: option(z.boolean().default(false), { about: 'fails on warnings too' }),
    }),
    load: async () => (await import('./rules.ts')).checkRules,
  }),
};

const ALL = { owner, keys, audit, customers, decisions, reports, backups, database, rules } satisfies Record<
  string,
  Record<string, Verb>
>;

/** Every noun with its verbs. A verb's own modules are loaded when it is called. */
export const NOUNS: ReadonlyMap<string, ReadonlyMap<string, Verb>> = new Map(
  Object.entries(ALL).map(([noun, verbs]) => [noun, new Map<string, Verb>(Object.entries(verbs))]),
);
