import { z } from 'zod';

/** An IANA time zone: the one whose days are meant, or in which an answer's sentences write times. */
export const timeZone = z
  .string()
  .refine((name) => Intl.supportedValuesOf('timeZone').includes(name) || name === 'UTC', 'must be a time zone');
