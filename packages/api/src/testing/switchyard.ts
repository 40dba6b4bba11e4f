import { createHmac, randomBytes } from 'node:crypto';
import type { StaffRole } from '@switchyard/db/client';
import { createTestDatabase, TEST_CONNECTION } from '@switchyard/db/testing';
import { connectGateway } from '@switchyard/merchants/console/gateway-accounts';
import { createMerchant } from '@switchyard/merchants/console/merchants';
import { reservePayment } from '@switchyard/payments/initiate';
import { newPayment } from '@switchyard/payments/testing';
import { createStaffUser } from '@switchyard/staff/users';
import { handleAuth } from '../auth/handle.ts';
import { ADDRESS_HEADER } from '../client-address.ts';
import { openSwitchyard, type Switchyard } from '../process.ts';

export const ORIGIN = 'http://switchyard.test';
export const PASSWORD = 'correct horse battery';

/**
 * A process's Switchyard on a database of its own. `lines` holds all its log lines, `key` what it encrypts and hashes with, `authSecret` what
 * signs cookies. `more` are settings of its environment.
 */
export async function openTestSwitchyard(
  publicUrl: string = ORIGIN,
  more: Readonly<Record<string, string>> = {},
): Promise<{ switchyard: Switchyard; lines: string[]; key: string; authSecret: string; close(): Promise<void> }> {
  const database = await createTestDatabase();
  const key = randomBytes(32).toString('base64');
  const authSecret = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: publicUrl,
    SWITCHYARD_AUTH_SECRET: authSecret,
    ...more,
  };
  const lines: string[] = [];
  const switchyard = openSwitchyard(environment, { write: (line) => void lines.push(line) }, TEST_CONNECTION);
  const close = async () => {
    await switchyard.close();
    await database.close();
  };
  return { switchyard, lines, key, authSecret, close };
}

/** A merchant with an account in test mode, at the gateway's own address without another. Returns its id. */
export async function createTestMerchant(switchyard: Switchyard, name: string, baseUrl: string | null = null): Promise<string> {
  const created = await createMerchant(switchyard, { name, actor: 'system:test' });
  if (created.kind !== 'created') throw new Error(`no merchant was created: ${created.kind}`);
  const merchantId = created.merchant.id;
  const connected = await connectGateway(switchyard, {
    merchantId,
    mode: 'test',
    gateway: 'paystack',
    actor: 'system:test',
    label: 'paystack-main',
    enabled: true,
    credentials: { secretKey: 'sk_test_0123456789abcdef' },
    currencies: ['NGN'],
    methods: ['CARD'],
    minAmount: 50,
    maxAmount: null,
    fees: null,
    baseUrl,
  });
  if (connected.kind !== 'connected') throw new Error(`no account was connected: ${connected.kind}`);
  await switchyard.resources.configuration.refresh();
  return merchantId;
}

/** A payment just recorded. Returns its id. */
export async function recordPayment(switchyard: Switchyard, merchantId: string, order: string): Promise<string> {
  const payment = newPayment({ merchantId, mode: 'test', merchantOrderId: order });
  await reservePayment(switchyard.resources.database, payment, null);
  return payment.paymentId;
}

/** Creates a staff user with roles. Returns their e-mail address. */
export async function createStaffWithGrants(
  switchyard: Switchyard,
  email: string,
  grants: readonly { readonly merchantId: string | null; readonly role: StaffRole }[],
  password: string = PASSWORD,
): Promise<string> {
  const outcome = await createStaffUser(switchyard, { email, name: 'Ada Obi', password, grants });
  if (outcome.kind !== 'created') throw new Error(`no staff user was created: ${outcome.kind}`);
  return email;
}

/** A browser's part in sign-in: keeps cookies and sends the origin of a request. */
export class Browser {
  readonly #switchyard: Switchyard;
  readonly #cookies = new Map<string, string>();
  readonly origin: string;
  /** The address it comes from, where the process records addresses. */
  address: string | null = null;

  constructor(switchyard: Switchyard, origin: string = ORIGIN) {
    this.#switchyard = switchyard;
    this.origin = origin;
  }

  /** Headers of the next request. */
  headers(more: Readonly<Record<string, string>> = {}): Headers {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const address = this.address === null ? {} : { [ADDRESS_HEADER]: this.address };
    return new Headers({ origin: this.origin, ...(cookie === '' ? {} : { cookie }), ...address, ...more });
  }

  /** Posts JSON to a path under `/api/auth` and stores the cookies of the response. */
  async post(path: string, body: unknown, more: Readonly<Record<string, string>> = {}): Promise<Response> {
    const headers = this.headers({ 'content-type': 'application/json', ...more });
    const request = new Request(`${this.origin}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const response = await handleAuth(this.#switchyard, request);
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Follows an address under `/api/auth` that another site sent the browser to, and stores the cookies of the response. */
  async follow(address: string): Promise<Response> {
    const response = await handleAuth(this.#switchyard, new Request(address, { headers: this.headers() }));
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Submits a form of another site to an address under `/api/auth`, and stores the cookies of the response. */
  async submit(address: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const headers = this.headers({ origin: 'https://id.example', 'sec-fetch-site': 'cross-site' });
    const request = new Request(address, { method: 'POST', headers, body: new URLSearchParams(fields) });
    const response = await handleAuth(this.#switchyard, request);
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** Another browser with the same cookies, as one has who copied them. */
  copy(): Browser {
    const copy = new Browser(this.#switchyard, this.origin);
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }

  signIn(email: string, password: string = PASSWORD): Promise<Response> {
    return this.post('/sign-in/email', { email, password });
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    const gone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
    if (gone) this.#cookies.delete(pair.slice(0, at));
    else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MS = 30_000;

/** The six digits of an authenticator app for an `otpauth:` URI at a moment (RFC 6238, SHA-1). */
export function oneTimeCode(uri: string, atMs: number): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / PERIOD_MS)));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = digest.readUInt8(19) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = [...text.replaceAll('=', '')]
    .map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
