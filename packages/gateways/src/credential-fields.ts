import { z } from 'zod';
import type { Gateway } from './gateway.ts';

const objectSchema = z.object({
  properties: z.record(z.string(), z.object({ title: z.string().optional(), description: z.string().optional() })),
  required: z.array(z.string()).default([]),
});

/** A credential that an account at a gateway has. */
export interface CredentialField {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  /** True if it may be left out. */
  readonly isOptional: boolean;
}

/** A gateway's credentials, in their order. */
export function credentialFields({ credentials }: Pick<Gateway, 'credentials'>): readonly CredentialField[] {
  const { properties, required } = objectSchema.parse(z.toJSONSchema(credentials, { io: 'input', unrepresentable: 'any' }));
  return Object.entries(properties).map(([name, { title = null, description = null }]) => ({
    name,
    title,
    description,
    isOptional: !required.includes(name),
  }));
}

/** `PAYSTACK_SECRET_KEY`: the environment variable of a credential. */
export function credentialVariable({ name: gateway }: Pick<Gateway, 'name'>, name: string): string {
  return `${gateway}_${name.replaceAll(/[A-Z]/g, '_$&')}`.toUpperCase();
}
