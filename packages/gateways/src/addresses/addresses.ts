import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buildConnector } from 'undici';

/**
 * Addresses that may be called: public ones of other machines, all public ones, or also private ones, which are those of this machine and
 * of private networks.
 */
export type AddressRange = 'elsewhere' | 'public' | 'public_and_private';

/** The environment variable that allows calls in test mode to this machine and private networks when it is `allow`. */
export const PRIVATE_ADDRESSES_VARIABLE = 'SWITCHYARD_PRIVATE_ADDRESSES';

/**
 * The addresses that may be called in a mode. Test mode: private ones where the process is set up to allow them, otherwise not even the
 * public addresses of this machine, behind whose firewall the call already is. Live mode: all public ones, because its calls go to
 * https on two ports, where a service has to show a certificate for the name that was called.
 */
export function allowedRange(
  mode: 'test' | 'live',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): AddressRange {
  if (mode === 'live') return 'public';
  return environment[PRIVATE_ADDRESSES_VARIABLE] === 'allow' ? 'public_and_private' : 'elsewhere';
}

/** Never called: unspecified, reserved, multicast, or link-local and metadata addresses, where clouds serve credentials. */
const forbidden = blockList(
  ['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Metadata services outside of the link-local range: Alibaba Cloud, Azure, Amazon, Google.
  ['100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::/32', 'fd20:ce::/32'],
  // Only public or private IPv6 ranges are allowed at all; these lie in between.
  ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
);

/** This machine and private networks. */
const privateRanges = blockList(
  ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ['::1/128', 'fc00::/7'],
);

const publicRanges = blockList(['2000::/3']);

/** Names of metadata services. They resolve to forbidden addresses inside a cloud only. */
const METADATA_NAME = /^(metadata|instance-data|metadata\.google\.internal|metadata\.goog|instance-data\.ec2\.internal)$/;

/** Names that always mean this machine or a private network, beside those without a dot. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

/**
 * True if an address, written as IPv4 or IPv6, may be called. IPv6 notations of an IPv4 address (mapped, translated, tunnelled) are
 * refused in every range. `own` are the addresses of this machine, which are read where the answer depends on them.
 */
export function mayConnectTo(address: string, range: AddressRange, own?: readonly string[]): boolean {
  return problemOf([kindOf(address, range, own)], range) === null;
}

/** The addresses of this machine's network interfaces. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces.map(({ address }) => address));
}

/**
 * The rule that the host of a URL breaks; null when it may be called. `host` is written as the URL parser returns it, which reads
 * decimal, octal and hexadecimal notations. `resolved` holds the addresses that a name resolves to; the addresses of a connection are
 * checked again when it is made.
 */
export function hostProblem(
  host: string,
  range: AddressRange,
  resolved: readonly string[] = [],
  own?: readonly string[],
): string | null {
  const literal = host.replace(/^\[|\]$/g, '');
  const addresses = isIP(literal) === 0 ? resolved : [literal];
  const kinds = addresses.map((address) => kindOf(address, range, own));
  return problemOf(isIP(literal) === 0 ? [kindOfName(literal), ...kinds] : kinds, range);
}

/** `own` is a public address of this machine, which only some ranges allow. */
type AddressKind = 'public' | 'own' | 'private' | 'forbidden';

function problemOf(kinds: readonly AddressKind[], range: AddressRange): string | null {
  if (kinds.includes('forbidden')) return 'must not be a link-local, metadata or reserved address';
  const isRefused = (kind: AddressKind) =>
    (kind === 'private' && range !== 'public_and_private') || (kind === 'own' && range === 'elsewhere');
  return kinds.some(isRefused) ? 'must be a public address, not one of this machine or of a private network' : null;
}

function kindOf(address: string, range: AddressRange, own: readonly string[] | undefined): AddressKind {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return 'forbidden';
  const version = family === 4 ? 'ipv4' : 'ipv6';
  if (isMapped(address) || forbidden.check(address, version)) return 'forbidden';
  if (privateRanges.check(address, version)) return 'private';
  if (family === 6 && !publicRanges.check(address, version)) return 'forbidden';
  if (range !== 'elsewhere') return 'public';
  const list = new BlockList();
  for (const one of own ?? ownAddresses()) if (isIP(one) === family) list.addAddress(one, version);
  return list.check(address, version) ? 'own' : 'public';
}

function kindOfName(host: string): AddressKind {
  const name = host.toLowerCase().replace(/\.+$/, '');
  if (METADATA_NAME.test(name)) return 'forbidden';
  return name.includes('.') && !PRIVATE_NAME.test(name) ? 'public' : 'private';
}

/** `::ffff:0:0/96` in any notation; otherwise the IPv4 rules would apply to it. */
function isMapped(address: string): boolean {
  if (isIP(address) !== 6) return false;
  return URL.parse(`http://[${address}]`)?.hostname.startsWith('[::ffff:') ?? true;
}

function blockList(...subnets: readonly (readonly string[])[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.flat()) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), isIP(net) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Resolves a name to all its addresses, or rejects. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Error code of a connection to a forbidden address. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

const QUESTION_TIMEOUT_MS = 2_000;
const QUESTION_TRIES = 2;

/** Resolves names as the operating system does. */
export const resolveBySystem: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address);

/** A resolver that asks the name servers: the operating system's uses a thread per lookup, of which four slow ones would block all. */
export function nameServerResolver(): Resolve {
  const resolver = new Resolver({ timeout: QUESTION_TIMEOUT_MS, tries: QUESTION_TRIES });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [refusal] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    if (addresses.length === 0) throw refusal;
    return addresses;
  };
}

/**
 * The addresses that the host of a URL resolves to, for {@link hostProblem} when a URL is saved. Empty for a literal address, for a name
 * that is refused in every mode, and for one that does not resolve within 2 s: its connections are checked all the same.
 */
export async function resolveHost(
  url: string | null | undefined,
  resolve: Resolve = resolveBySystem,
): Promise<readonly string[]> {
  const hostname = url === null || url === undefined ? '' : (URL.parse(url)?.hostname ?? '');
  if (hostname === '' || hostname.startsWith('[') || isIP(hostname) !== 0) return [];
  if (hostProblem(hostname, allowedRange('test')) !== null) return [];
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<readonly string[]>((done) => {
    timer = setTimeout(() => done([]), QUESTION_TIMEOUT_MS);
  });
  const resolved = await Promise.race([resolve(hostname).catch(() => []), tooLate]);
  clearTimeout(timer);
  return resolved;
}

/**
 * Resolves a name for a connection and allows it only when all of its addresses are allowed: the connection uses the checked
 * address, even if the name server answers differently a moment later. The range is read at each connection.
 */
function checkedLookup(range: () => AddressRange, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every((address) => mayConnectTo(address, range()))) {
          callback(addressRefused(), '', 0);
        } else if (options.all === true) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        } else callback(null, first, isIP(first));
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('the name was not resolved'), '', 0),
    );
  };
}

/** The error of a connection to an address that may not be called. */
function addressRefused(): NodeJS.ErrnoException {
  return Object.assign(new Error('the address may not be called'), { code: ADDRESS_REFUSED });
}

/**
 * A connector that opens connections to allowed addresses only; all others fail with `ADDRESS_REFUSED`. A name is judged by what it
 * resolves to for this connection, an address by itself: the operating system resolves none. The range is read at each connection.
 */
export function checkedConnector(
  range: () => AddressRange,
  resolve: Resolve,
  options: Omit<buildConnector.BuildOptions, 'lookup'>,
): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: checkedLookup(range, resolve) });
  return (target, callback) => {
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && hostProblem(literal, range()) !== null) callback(addressRefused(), null);
    else connect(target, callback);
  };
}

/* Addresses that people enter, and whether they may be called, for every package that calls them. */
