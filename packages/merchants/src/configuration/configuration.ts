import type { Database } from '@switchyard/db';
import { type ChangeHints, isUuid } from '@switchyard/db';
import type {
  ApiKey,
  GatewayAccount,
  HealthThresholdSet,
  Merchant,
  Mode,
  RoutingOverride,
  RuleSetVersion,
} from '@switchyard/db/client';
import { listenForHints } from '@switchyard/db/process';

/** Everything a payment needs to know of its merchant, as one unchanging picture. */
export interface MerchantConfiguration {
  readonly revision: number;
  readonly merchant: Merchant;
  readonly keys: readonly ApiKey[];
  readonly accounts: readonly GatewayAccount[];
  /** The published version per mode; absent while a merchant has none. */
  readonly ruleSets: Readonly<Partial<Record<Mode, RuleSetVersion>>>;
  /** Not ended when read; expiry is for the reader to check. */
  readonly overrides: readonly RoutingOverride[];
  /** What was changed of the thresholds of health, per mode; absent where the defaults hold. */
  readonly healthThresholds: Readonly<Partial<Record<Mode, HealthThresholdSet>>>;
}

/**
 * Configuration in memory, so that no payment waits for it. Kept fresh by asking about once a second which merchants moved, and
 * sooner where the database can tell: a notice is a hint to read that merchant now, and nothing depends on its coming. While the
 * database is away the last picture serves.
 */
export interface Configuration {
  merchant(merchantId: string): MerchantConfiguration | undefined;
  /** Finds a key in memory; a key made elsewhere a moment ago is looked up once. */
  findKey(publicId: string): Promise<{ key: ApiKey; merchant: MerchantConfiguration } | undefined>;
  account(accountId: string): { account: GatewayAccount; merchant: MerchantConfiguration } | undefined;
  /** All of them: the same list until something of any of them is read anew. */
  merchants(): readonly MerchantConfiguration[];
  /** Settles once a first picture has been read; each call tries again until one was. */
  ready(): Promise<void>;
  /** When the picture was last found to be current; null before the first reading. */
  readAt(): Date | null;
  /** Reads what has changed now. Concurrent calls share one reading. */
  refresh(): Promise<void>;
  close(): void;
}

export interface ConfigurationOptions {
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number;
  /** `listen` (the default): on a connection of its own. `none`: by asking alone, as behind a pooler that passes no notices on. */
  readonly hints?: 'listen' | 'none';
}

const POLL_MS = 1_000;
/** Beyond this many merchants at once, all are asked about in one go. */
const HINTED_MAX = 50;
const EVERYBODY = '*';
const MISSING_KEYS_MAX = 10_000;
const MISSING_KEY_MS = 1_000;
const MERCHANTS_MAX = 100_000;

export function openConfiguration(database: Database, options: ConfigurationOptions): Configuration {
  const picture = createPicture();
  const reader = createReader(database, picture);
  const missing = new Map<string, number>();
  const timer = setInterval(() => reader.refresh().catch(options.onError), options.pollMs ?? POLL_MS);
  timer.unref();
  const follow = (notice: string | null) => reader.follow(notice).catch(options.onError);
  const hints = options.hints === 'none' ? null : openHints(database, follow, options.onError);

  return {
    merchant: (merchantId) => picture.byMerchant.get(merchantId),
    account: (accountId) => picture.byAccount.get(accountId),
    merchants: picture.all,
    async findKey(publicId) {
      const known = picture.byKey.get(publicId);
      if (known !== undefined) return known;
      const asked = performance.now();
      if ((missing.get(publicId) ?? 0) > asked) return undefined;
      // A reading under way may have begun before the key was made; the next one has not.
      if (reader.isReading()) await reader.refresh();
      if (!picture.byKey.has(publicId)) await reader.refresh();
      if (missing.size >= MISSING_KEYS_MAX) missing.clear();
      if (!picture.byKey.has(publicId)) missing.set(publicId, performance.now() + MISSING_KEY_MS);
      return picture.byKey.get(publicId);
    },
    ready: () => (reader.readAt() === null ? reader.refresh() : Promise.resolve()),
    readAt: reader.readAt,
    refresh: reader.refresh,
    close() {
      clearInterval(timer);
      hints?.close();
    },
  };
}

/**
 * Brings a committed change into this process's memory. A reading already under way may have begun before the commit, a second one
 * cannot have. Trouble is left to the poll: the change itself stands.
 */
export async function readRevision(configuration: Configuration, merchantId: string, revision: number): Promise<void> {
  for (let reading = 0; reading < 2; reading++) {
    if ((configuration.merchant(merchantId)?.revision ?? 0) >= revision) return;
    await configuration.refresh().catch(() => undefined);
  }
}

interface Picture {
  readonly byMerchant: Map<string, MerchantConfiguration>;
  readonly byKey: Map<string, { key: ApiKey; merchant: MerchantConfiguration }>;
  readonly byAccount: Map<string, { account: GatewayAccount; merchant: MerchantConfiguration }>;
  all(): readonly MerchantConfiguration[];
  keep(configuration: MerchantConfiguration): void;
}

function createPicture(): Picture {
  const byMerchant: Picture['byMerchant'] = new Map();
  const byKey: Picture['byKey'] = new Map();
  const byAccount: Picture['byAccount'] = new Map();
  let all: readonly MerchantConfiguration[] | null = null;
  return {
    byMerchant,
    byKey,
    byAccount,
    all() {
      all ??= [...byMerchant.values()];
      return all;
    },
    keep(configuration) {
      all = null;
      const previous = byMerchant.get(configuration.merchant.id);
      for (const key of previous?.keys ?? []) byKey.delete(key.publicId);
      for (const account of previous?.accounts ?? []) byAccount.delete(account.id);
      byMerchant.set(configuration.merchant.id, configuration);
      for (const key of configuration.keys) byKey.set(key.publicId, { key, merchant: configuration });
      for (const account of configuration.accounts) byAccount.set(account.id, { account, merchant: configuration });
    },
  };
}

interface Reader {
  refresh(): Promise<void>;
  /** Reads the merchant a notice names, or everybody for null. Notices that come while one waits are followed with it. */
  follow(notice: string | null): Promise<void>;
  isReading(): boolean;
  readAt(): Date | null;
}

function createReader(database: Database, picture: Picture): Reader {
  const hinted = new Set<string>();
  let reading: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let readAt: Date | null = null;

  /** One reading after the other: of two at once, the one that began first could put its older picture in place last. */
  function afterOthers(read: () => Promise<void>): Promise<void> {
    const mine = last.then(read);
    last = mine.catch(() => undefined);
    return mine;
  }

  async function readAll(): Promise<void> {
    const asked = new Date();
    await keepMoved(database, picture, await database.prisma.configurationRevision.findMany({ take: MERCHANTS_MAX }));
    readAt = asked;
  }

  async function readHinted(): Promise<void> {
    const merchantIds = [...hinted];
    hinted.clear();
    if (merchantIds.includes(EVERYBODY) || merchantIds.length > HINTED_MAX) return readAll();
    const where = { merchantId: { in: merchantIds } };
    await keepMoved(database, picture, await database.prisma.configurationRevision.findMany({ where }));
  }

  return {
    refresh() {
      reading ??= afterOthers(readAll).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    async follow(notice) {
      const merchantId = notice ?? EVERYBODY;
      // Before the first reading there is nothing that could be out of date.
      if (readAt === null || !(merchantId === EVERYBODY || isUuid(merchantId))) return;
      hinted.add(merchantId);
      if (hinted.size === 1) await afterOthers(readHinted);
    },
    isReading: () => reading !== undefined,
    readAt: () => readAt,
  };
}

async function keepMoved(
  database: Database,
  picture: Picture,
  revisions: readonly { merchantId: string; revision: number }[],
): Promise<void> {
  const moved = revisions.filter((row) => picture.byMerchant.get(row.merchantId)?.revision !== row.revision);
  for (const row of moved) {
    const configuration = await readMerchant(database, row.merchantId, row.revision);
    if (configuration !== undefined) picture.keep(configuration);
  }
}

function openHints(
  database: Database,
  onHint: (merchantId: string | null) => void,
  onError: ConfigurationOptions['onError'],
): ChangeHints | null {
  const url = database.pool.options.connectionString;
  return url === undefined ? null : listenForHints({ url, channel: 'configuration', onHint, onError });
}

async function readMerchant(
  database: Database,
  merchantId: string,
  revision: number,
): Promise<MerchantConfiguration | undefined> {
  const { prisma } = database;
  const now = new Date();
  const [merchant, keys, accounts, published, overrides, thresholdSets] = await Promise.all([
    prisma.merchant.findUnique({ where: { id: merchantId } }),
    prisma.apiKey.findMany({
      where: { merchantId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
      take: 1_000,
    }),
    prisma.gatewayAccount.findMany({ where: { merchantId }, orderBy: { id: 'asc' }, take: 1_000 }),
    prisma.ruleSetVersion.findMany({ where: { merchantId, state: 'PUBLISHED' }, take: 2 }),
    prisma.routingOverride.findMany({ where: { merchantId, endedAt: null }, orderBy: { id: 'asc' }, take: 1_000 }),
    prisma.healthThresholdSet.findMany({ where: { merchantId }, take: 2 }),
  ]);
  if (merchant === null) return undefined;
  const ruleSets: Partial<Record<Mode, RuleSetVersion>> = {};
  for (const version of published) ruleSets[version.mode] = version;
  const healthThresholds: Partial<Record<Mode, HealthThresholdSet>> = {};
  for (const set of thresholdSets) healthThresholds[set.mode] = set;
  return { revision, merchant, keys, accounts, ruleSets, overrides, healthThresholds };
}
