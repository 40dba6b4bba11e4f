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
  description: 'The question cannot be answered as it was asked.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'All that is wrong, in one line.' }),
    problems: t.stringList({ description: 'One by one: the field, then the rule.', resolve: ({ problems }) => [...problems] }),
  }),
});
