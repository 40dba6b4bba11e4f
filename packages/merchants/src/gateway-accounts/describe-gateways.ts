import { findGateway, type Gateway, gateways, parseCredentials } from '@switchyard/gateways';
import { PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
import { z } from 'zod';

/** A gateway as somebody who connects an account to it has to know it. */
export interface GatewayKind {
  readonly name: string;
  /** As people write it. */
  readonly title: string;
  /** What its accounts are reached with, in the order to ask for it. */
  readonly fields: readonly CredentialField[];
  readonly currencies: readonly string[];
  readonly methods: readonly PaymentMethod[];
  /** Whole main units. */
  readonly minAmount: number;
  readonly maxAmount: number | null;
}

export interface CredentialField {
  readonly name: string;
  /** `Secret key` */
  readonly label: string;
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

const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

function fieldsOf({ credentials, secretFields }: Pick<Gateway, 'credentials' | 'secretFields'>): CredentialField[] {
  const { properties, required } = objectSchema.parse(z.toJSONSchema(credentials, { io: 'input', unrepresentable: 'any' }));
  return Object.keys(properties).map((name) => ({
    name,
    label: labelOf(name),
    secret: secretFields.includes(name),
    required: required.includes(name),
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

export type CheckedAccount =
  /** Credentials as the gateway's own schema gives them back; null where none were entered. */
  | { readonly kind: 'in_order'; readonly credentials: Readonly<Record<string, string>> | null }
  | { readonly kind: 'invalid'; readonly problems: readonly AccountProblem[] }
  | { readonly kind: 'unknown_gateway' };

/** What is entered for an account at a gateway, as far as the gateway has a say in it. */
export interface AccountAtGateway {
  /** Null leaves those that are stored. */
  readonly credentials: Readonly<Record<string, string>> | null;
  readonly methods: readonly string[] | null;
  readonly currencies: readonly string[] | null;
}

/** Checks what is entered for an account against what the gateway takes. */
export function checkAccountAtGateway(name: string, entered: AccountAtGateway): CheckedAccount {
  const gateway = findGateway(name);
  if (gateway === null) return { kind: 'unknown_gateway' };
  const { methods, currencies } = gateway.capabilities;
  const problems = [
    ...foreign('methods', entered.methods ?? [], methods, gateway.title),
    ...foreign('currencies', entered.currencies ?? [], currencies, gateway.title),
  ];
  const parsed = entered.credentials === null ? null : parseCredentials(gateway, entered.credentials);
  if (parsed?.ok === false) problems.push(...parsed.problems.map(toProblem));
  if (problems.length > 0) return { kind: 'invalid', problems };
  return { kind: 'in_order', credentials: parsed?.ok ? parsed.credentials : null };
}

function foreign(field: string, entered: readonly string[], known: readonly string[], title: string): AccountProblem[] {
  const others = entered.filter((word) => !known.includes(word));
  return others.length === 0 ? [] : [{ field, message: `${title} does not take ${others.join(', ')}` }];
}

function toProblem(sentence: string): AccountProblem {
  const cut = sentence.indexOf(': ');
  return { field: `credentials.${sentence.slice(0, cut)}`, message: sentence.slice(cut + 2) };
}
