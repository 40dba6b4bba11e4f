import type { Authentication, RefusedKey, Simulator } from '../simulator.ts';
import type { Inbound } from './router.ts';

/** Authenticates by the account's key in `Authorization: Bearer`. */
export function authenticateByKey(request: Inbound, simulator: Simulator): Authentication {
  const bearer = readAuthorization(request, 'Bearer');
  return bearer.kind === 'value' ? accountWithKey(simulator, bearer.value) : refuse(simulator, bearer.kind);
}

/** Authenticates by a token in `Authorization: Bearer`. Under the fault `expired_token` a token is good for one call. */
export function authenticateByToken(request: Inbound, simulator: Simulator): Authentication {
  const bearer = readAuthorization(request, 'Bearer');
  if (bearer.kind !== 'value') return refuse(simulator, bearer.kind);
  const token = simulator.tokens.use(bearer.value);
  if (token.kind !== 'valid') return refuse(simulator, token.kind);
  if (token.used && simulator.faults.strike(['expired_token']) !== null) return refuse(simulator, 'expired');
  const account = simulator.ledger.account(token.accountId);
  return account === null ? refuse(simulator, 'unknown') : { kind: 'account', account };
}

/** Authenticates by `Authorization: Basic` with the account's key as user name and another of its fields as password. */
export function authenticateByPassword(passwordField: string): (request: Inbound, simulator: Simulator) => Authentication {
  return (request, simulator) => {
    const basic = readAuthorization(request, 'Basic');
    if (basic.kind !== 'value') return refuse(simulator, basic.kind);
    const [, key = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic.value, 'base64').toString('utf8')) ?? [];
    const found = accountWithKey(simulator, key);
    if (found.kind === 'account' && found.account.credentials[passwordField] !== password) return refuse(simulator, 'unknown');
    return found;
  };
}

function accountWithKey(simulator: Simulator, key: string): Authentication {
  const account = simulator.ledger.accountByKey(key);
  return account === null ? refuse(simulator, 'unknown') : { kind: 'account', account };
}

function refuse(simulator: Simulator, why: RefusedKey): Authentication {
  return { kind: 'refused', reply: simulator.spec.errors.unauthorised(why) };
}

type Authorization = { readonly kind: 'missing' | 'malformed' } | { readonly kind: 'value'; readonly value: string };

function readAuthorization({ headers }: Inbound, scheme: 'Bearer' | 'Basic'): Authorization {
  const header = headers.authorization ?? '';
  if (header === '') return { kind: 'missing' };
  const [, given = '', value] = /^(\S+) +(\S+)$/.exec(header) ?? [];
  return value === undefined || given.toLowerCase() !== scheme.toLowerCase() ? { kind: 'malformed' } : { kind: 'value', value };
}
