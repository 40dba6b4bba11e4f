import { builder } from './builder.ts';

/** Invalid arguments of a query, with every problem listed. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

builder.objectType(InvalidInput, {
  name: 'InvalidInput',
  description: 'The input is invalid.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'All problems, in one line.' }),
    problems: t.stringList({
      description: 'Each problem: the field, then the rule it breaks.',
      resolve: ({ problems }) => [...problems],
    }),
  }),
});
