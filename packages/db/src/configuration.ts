import type { Database } from './connect.ts';
import type { ApiKey, GatewayAccount, Merchant, Mode, RoutingOverride, RuleSetVersion } from './generated/client.ts';

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
}

/**
 * Configuration in memory, so that no payment waits for it. Kept fresh by asking about once a second which merchants moved;
 * while the database is away the last picture serves.
 */
export interface Configuration {
  merchant(merchantId: string): MerchantConfiguration | undefined;
  /** Finds a key in memory; a key made elsewhere a moment ago is looked up once. */
  findKey(publicId: string): Promise<{ key: ApiKey; merchant: MerchantConfiguration } | undefined>;
  account(accountId: string): { account: GatewayAccount; merchant: MerchantConfiguration } | undefined;
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
}

const POLL_MS = 1_000;
const MISSING_KEYS_MAX = 10_000;
const MISSING_KEY_MS = 1_000;
const MERCHANTS_MAX = 100_000;

export function openConfiguration(database: Database, options: ConfigurationOptions): Configuration {
  const byMerchant = new Map<string, MerchantConfiguration>();
  const byKey = new Map<string, { key: ApiKey; merchant: MerchantConfiguration }>();
  const byAccount = new Map<string, { account: GatewayAccount; merchant: MerchantConfiguration }>();
  const missing = new Map<string, number>();
  let reading: Promise<void> | undefined;
  let readAt: Date | null = null;

  function keep(configuration: MerchantConfiguration): void {
    const previous = byMerchant.get(configuration.merchant.id);
    for (const key of previous?.keys ?? []) byKey.delete(key.publicId);
    for (const account of previous?.accounts ?? []) byAccount.delete(account.id);
    byMerchant.set(configuration.merchant.id, configuration);
    for (const key of configuration.keys) byKey.set(key.publicId, { key, merchant: configuration });
    for (const account of configuration.accounts) byAccount.set(account.id, { account, merchant: configuration });
  }

  async function read(): Promise<void> {
    const asked = new Date();
    const revisions = await database.prisma.configurationRevision.findMany({ take: MERCHANTS_MAX });
    const moved = revisions.filter((row) => byMerchant.get(row.merchantId)?.revision !== row.revision);
    for (const row of moved) {
      const configuration = await readMerchant(database, row.merchantId, row.revision);
      if (configuration !== undefined) keep(configuration);
    }
    readAt = asked;
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  const timer = setInterval(() => refresh().catch(options.onError), options.pollMs ?? POLL_MS);
  timer.unref();

  return {
    merchant: (merchantId) => byMerchant.get(merchantId),
    account: (accountId) => byAccount.get(accountId),
    merchants: () => [...byMerchant.values()],
    async findKey(publicId) {
      const known = byKey.get(publicId);
      if (known !== undefined) return known;
      const asked = performance.now();
      if ((missing.get(publicId) ?? 0) > asked) return undefined;
      // A reading under way may have begun before the key was made; the next one has not.
      if (reading !== undefined) await refresh();
      if (!byKey.has(publicId)) await refresh();
      if (missing.size >= MISSING_KEYS_MAX) missing.clear();
      if (!byKey.has(publicId)) missing.set(publicId, performance.now() + MISSING_KEY_MS);
      return byKey.get(publicId);
    },
    ready: () => (readAt === null ? refresh() : Promise.resolve()),
    readAt: () => readAt,
    refresh,
    close: () => clearInterval(timer),
  };
}

async function readMerchant(
  database: Database,
  merchantId: string,
  revision: number,
): Promise<MerchantConfiguration | undefined> {
  const { prisma } = database;
  const now = new Date();
  const [merchant, keys, accounts, published, overrides] = await Promise.all([
    prisma.merchant.findUnique({ where: { id: merchantId } }),
    prisma.apiKey.findMany({
      where: { merchantId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
      take: 1_000,
    }),
    prisma.gatewayAccount.findMany({ where: { merchantId }, orderBy: { id: 'asc' }, take: 1_000 }),
    prisma.ruleSetVersion.findMany({ where: { merchantId, state: 'PUBLISHED' }, take: 2 }),
    prisma.routingOverride.findMany({ where: { merchantId, endedAt: null }, orderBy: { id: 'asc' }, take: 1_000 }),
  ]);
  if (merchant === null) return undefined;
  const ruleSets: Partial<Record<Mode, RuleSetVersion>> = {};
  for (const version of published) ruleSets[version.mode] = version;
  return { revision, merchant, keys, accounts, ruleSets, overrides };
}
