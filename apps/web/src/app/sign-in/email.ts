import * as z from 'zod/mini';

/** The address that a person signs in with: the server alone knows which there are. */
export const emailSchema = z
  .string()
  .check(z.trim(), z.minLength(1, 'enter your e-mail address'), z.regex(/^(?:$|\S+@\S+$)/, 'this is not an e-mail address'));
