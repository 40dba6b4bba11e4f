import { createHmac } from 'node:crypto';
import type { CustomerSubject } from '@switchyard/payments/customers';
import { z } from 'zod';
import type { PrivacyContext } from '../context.ts';

const text = (max: number, message: string) =>
  z
    .string('must be text')
    .trim()
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters')
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .refine((value) => value === null || !value.startsWith('[erased'), message)
    .default(null);

/** Who a request is about: at least one of e-mail address, phone number and the merchant's id of the customer. */
export const subjectSchema = z
  .object({
    merchantId: z.uuid('must be a merchant').toLowerCase(),
    mode: z.enum(['test', 'live']),
    email: text(320, 'must be an e-mail address').refine(
      (value) => value === null || (value.includes('@') && !value.endsWith('@customer.invalid')),
      'must be an e-mail address',
    ),
    phone: text(32, 'must be a phone number').refine(
      (value) => value === null || value.replace(/\D/g, '').length >= 7,
      'must have at least seven digits',
    ),
    customerId: text(128, 'must be a customer id'),
  })
  .refine(({ email, phone, customerId }) => email !== null || phone !== null || customerId !== null, {
    path: ['email'],
    message: 'or a phone number or a customer id must be given',
  });

/** Input of {@link subjectSchema}; omitted identifiers are null. */
export type SubjectInput = z.input<typeof subjectSchema>;

/**
 * A keyed hash of the subject, which names a person in the audit log without saying who: one who knows the identifier and holds the key
 * can tell whether an entry is about it.
 */
export function subjectHash({ resources }: PrivacyContext, subject: CustomerSubject): string {
  const { merchantId, mode, email, phone, customerId } = subject;
  const named = JSON.stringify([
    'customer',
    merchantId,
    mode,
    email?.toLowerCase() ?? null,
    phone?.replace(/\D/g, '') ?? null,
    customerId,
  ]);
  return createHmac('sha256', resources.keyPepper).update(named).digest('hex');
}

/** Kinds of the given identifiers, for the audit log. */
export function givenIdentifiers({ email, phone, customerId }: CustomerSubject): string[] {
  return [email === null ? '' : 'email', phone === null ? '' : 'phone', customerId === null ? '' : 'customerId'].filter(
    (name) => name !== '',
  );
}
