import { expect, test } from 'vitest';
import { formatTable } from './report.ts';

test('columns are as wide as their widest text, the first one to the left and the others to the right', () => {
  const table = formatTable(['what', 'n'], [['initiate', '1'], ['get', '1,234'], ['short']]);
  expect(table.split('\n')).toEqual(['what          n', '--------  -----', 'initiate      1', 'get       1,234', 'short']);
});
