import { z } from 'zod';
import type { Gateway } from '../gateway.ts';

const objectSchema = z.object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).default([]) });

/** Names of a gateway's credentials, in their order, and whether each may be left out. */
export function credentialFields({ credentials }: Pick<Gateway, 'credentials'>) {
  const { properties, required } = objectSchema.parse(z.toJSONSchema(credentials, { io: 'input', unrepresentable: 'any' }));
  return Object.keys(properties).map((field) => ({ field, isOptional: !required.includes(field) }));
}
