import { MOMENT_RULE, parseMoment } from '@switchyard/db/moments';
import { createGraphQLError } from 'graphql-yoga';
import { builder } from '../builder.ts';

builder.scalarType('Amount', {
  description:
    'Money as a whole number of the main currency unit: 1000 is one thousand naira. Never above 1,000,000,000,000, so a JavaScript number holds it exactly.',
  serialize(value) {
    const amount = Number(value);
    if (!Number.isSafeInteger(amount)) throw createGraphQLError('An amount is too large to be a number.');
    return amount;
  },
  parseValue(value) {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    throw createGraphQLError('An amount is a whole number of the main currency unit.');
  },
});

builder.scalarType('Decimal', {
  description: 'An exact decimal of the main currency unit as text, as a gateway reported it: "999.5".',
  serialize: (value) => value,
  parseValue(value) {
    if (typeof value === 'string' && /^\d{1,24}(\.\d{1,6})?$/.test(value)) return value;
    throw createGraphQLError('A decimal is text such as "999.5".');
  },
});

builder.scalarType('DateTime', {
  description: 'Time as ISO 8601 in UTC with milliseconds: 2026-11-21T09:30:00.000Z.',
  serialize: (value) => value.toISOString(),
  parseValue(value) {
    const date = typeof value === 'string' ? parseMoment(value) : null;
    if (date === null) throw createGraphQLError(`A moment ${MOMENT_RULE}.`);
    return date;
  },
});

builder.scalarType('JSON', {
  description: 'Free-form JSON, as stored.',
  serialize: (value) => value,
  parseValue: () => {
    throw createGraphQLError('Free-form JSON is not taken as input.');
  },
});
