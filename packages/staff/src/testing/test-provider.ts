import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

/** A person at the provider, by the subject. */
export interface ProviderAccount {
  readonly email?: string | undefined;
  readonly email_verified?: boolean | undefined;
  readonly name?: string | undefined;
  readonly groups?: readonly string[] | string | undefined;
}

/** An identity token that the provider is about to answer with: its claims are changed, or it is signed with another key. */
export interface TamperedToken {
  claims: JWTPayload;
  signedBy: 'provider' | 'stranger' | 'no one';
}

/** A certified provider of OpenID Connect on this machine, with accounts, keys and answers that tests change. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accounts: Map<string, ProviderAccount>;
  /** Changes each identity token before it is answered; null to leave them. */
  tamper: ((token: TamperedToken) => void) | null;
  /** Paths called, with their methods: `POST /token`. */
  readonly calls: string[];
  /** Signs with a new key from now on; the old ones are withdrawn. */
  rotateKeys(): Promise<void>;
  /** The address that the browser is sent back to, after an account signed in at an address of the provider. */
  signIn(authorizationUrl: string, subject: string): Promise<string>;
  close(): Promise<void>;
}

const ALG = 'RS256';

async function newKey(kid: string) {
  const { privateKey } = await generateKeyPair(ALG, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid, alg: ALG, use: 'sig' };
  return { kid, privateKey, jwk };
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Opens the provider for one client, whose people come back to an address. PKCE is required of it. */
export async function openTestProvider(redirectUri: string, port = 0): Promise<TestProvider> {
  const clientId = 'switchyard';
  const clientSecret = 'client-secret-of-the-test-provider-0123456789';
  const accounts = new Map<string, ProviderAccount>();
  const calls: string[] = [];
  const stranger = await newKey('stranger');
  let generation = 1;
  let key = await newKey('key-1');
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://provider').pathname;
    calls.push(`${request.method} ${path}`);
    if (path.startsWith('/interaction/')) {
      void interact(request, response);
      return;
    }
    if (path === '/token') {
      const end = response.end.bind(response);
      const send = async (body: string) => {
        const changed = await changeTokens(body);
        response.setHeader('content-length', Buffer.byteLength(changed));
        end(changed);
      };
      response.end = (...given: readonly unknown[]) => {
        void send(String(given[0] ?? ''));
        return response;
      };
    }
    void current().callback()(request, response);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const bound = server.address();
  const issuer = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : port}`;
  const providers = new Map<string, Provider>();

  /** The provider with the present key. Its storage is shared by all in the process. */
  function current(): Provider {
    const open = providers.get(key.kid) ?? openProvider();
    providers.set(key.kid, open);
    return open;
  }

  function openProvider(): Provider {
    return new Provider(issuer, {
      clients: [
        { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri], grant_types: ['authorization_code'] },
      ],
      jwks: { keys: [key.jwk] },
      cookies: { keys: ['a key of the test provider'] },
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...accounts.get(sub) }) }),
      // Everyone consents.
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  }

  /** A page with a button for each account; choosing one signs in. */
  async function interact(...[request, response]: Parameters<Parameters<typeof createServer>[1] & object>): Promise<void> {
    if (request.method === 'POST') {
      const accountId = new URL(request.url ?? '/', issuer).searchParams.get('account') ?? '';
      await current().interactionFinished(request, response, { login: { accountId } });
      return;
    }
    const buttons = [...accounts].map(
      ([sub, { name = sub }]) =>
        `<form method="post" action="?account=${encodeURIComponent(sub)}"><button>${escapeHtml(name)}</button></form>`,
    );
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Test provider</title><h1>Choose an account</h1>${buttons.join('')}`);
  }

  async function changeTokens(body: string): Promise<string> {
    const answer: Record<string, unknown> = JSON.parse(body);
    if (provider.tamper === null || typeof answer.id_token !== 'string') return body;
    const token: TamperedToken = {
      claims: JSON.parse(Buffer.from(answer.id_token.split('.')[1] ?? '', 'base64url').toString()),
      signedBy: 'provider',
    };
    provider.tamper(token);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${encode({ alg: 'none', kid: key.kid })}.${encode(token.claims)}.`;
    const sign = (by: CryptoKey) => new SignJWT(token.claims).setProtectedHeader({ alg: ALG, kid: key.kid }).sign(by);
    const signed = {
      'no one': async () => unsigned,
      provider: () => sign(key.privateKey),
      stranger: () => sign(stranger.privateKey),
    };
    return JSON.stringify({ ...answer, id_token: await signed[token.signedBy]() });
  }

  const provider: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    accounts,
    calls,
    tamper: null,
    async rotateKeys() {
      generation += 1;
      key = await newKey(`key-${generation}`);
    },
    async signIn(authorizationUrl, subject) {
      const cookies = new Map<string, string>();
      let method = 'GET';
      let address = authorizationUrl;
      for (let step = 0; step < 8; step += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(address, { method, headers: { cookie }, redirect: 'manual' });
        for (const line of response.headers.getSetCookie()) {
          const [pair = ''] = line.split(';');
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = response.headers.get('location');
        if (location === null)
          throw new Error(`the provider answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
        const next = new URL(location, issuer);
        if (next.origin !== issuer) return next.toString();
        const isChoice = next.pathname.startsWith('/interaction/');
        method = isChoice ? 'POST' : 'GET';
        address = isChoice ? `${next}?account=${encodeURIComponent(subject)}` : next.toString();
      }
      throw new Error('the provider sends in circles');
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
  return provider;
}
