import { findGateway, type Gateway, gateways, parseCredentials } from '@switchyard/gateways';
import { credentialFields } from '@switchyard/gateways/credential-fields';
import { PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';

/** A gateway as the form that connects an account at it needs it. */
export interface GatewayKind {
  readonly name: string;
  /** Display name: `Paystack`. */
  readonly title: string;
  /** Credential fields of its accounts, in form order. */
  readonly fields: readonly CredentialField[];
  readonly currencies: readonly string[];
  readonly methods: readonly PaymentMethod[];
  /** Whole main units. */
  readonly minAmount: number;
  readonly maxAmount: number | null;
}

/** A field of a gateway's credentials, for a form. */
export interface CredentialField {
  readonly name: string;
  /** `Secret key` */
  readonly label: string;
  /** One sentence shown below the field, such as where the gateway's dashboard has the value. */
  readonly help: string | null;
  readonly secret: boolean;
  readonly required: boolean;
}

/** Every gateway an account can be connected at. */
export function describeGateways(): readonly GatewayKind[] {
  return gateways.map(({ name, title, capabilities, ...gateway }) => ({
    name,
    title,
    fields: fieldsOf(gateway),
    ...capabilities,
    methods: PAYMENT_METHODS.filter((method) => capabilities.methods.includes(method)),
  }));
}

function fieldsOf(gateway: Pick<Gateway, 'credentials' | 'secretFields'>): CredentialField[] {
  return credentialFields(gateway).map(({ name, title, description, isOptional }) => ({
    name,
    label: title ?? labelOf(name),
    help: description,
    secret: gateway.secretFields.includes(name),
    required: !isOptional,
  }));
}

/** `secretKey` → `Secret key` */
function labelOf(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One thing wrong with what was entered for an account; `field` is dotted. */
export interface AccountProblem {
  readonly field: string;
  readonly message: string;
}

/** The result of checking an account's settings against what its gateway supports. */
export type CheckedAccount =
  /** Credentials as parsed by the gateway's own schema; null where none were entered. */
  | { readonly kind: 'in_order'; readonly credentials: Readonly<Record<string, string>> | null }
  | { readonly kind: 'invalid'; readonly problems: readonly AccountProblem[] }
  | { readonly kind: 'unknown_gateway' };

/** The entered fields of an account that its gateway restricts. */
export interface AccountAtGateway {
  /** Null keeps the stored ones. */
  readonly credentials: Readonly<Record<string, string>> | null;
  readonly methods: readonly string[] | null;
  readonly currencies: readonly string[] | null;
}

/** Checks an account's entered fields against the gateway's capabilities and credential schema. */
export function checkAccountAtGateway(name: string, entered: AccountAtGateway): CheckedAccount {
  const gateway = findGateway(name);
  if (gateway === null) return { kind: 'unknown_gateway' };
  const { methods, currencies } = gateway.capabilities;
  const problems = [
    ...foreign('methods', entered.methods ?? [], methods, gateway.title),
    ...foreign('currencies', entered.currencies ?? [], currencies, gateway.title),
  ];
  const parsed = entered.credentials === null ? null : parseCredentials(gateway, entered.credentials);
  if (parsed?.ok === false) {
    for (const { field, message } of parsed.problems) problems.push({ field: `credentials.${field}`, message });
  }
  if (problems.length > 0) return { kind: 'invalid', problems };
  return { kind: 'in_order', credentials: parsed?.ok ? parsed.credentials : null };
}

function foreign(field: string, entered: readonly string[], known: readonly string[], title: string): AccountProblem[] {
  const others = entered.filter((word) => !known.includes(word));
  return others.length === 0 ? [] : [{ field, message: `${title} does not take ${others.join(', ')}` }];
}
