// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { expect, test, vi } from 'vitest';
import { openPage } from '#/testing/page.tsx';
import { ErrorState } from './page-failed.tsx';

const { show } = openPage();

function failure(code: string, message: string) {
  return TRPCClientError.from({ error: { message, code: -32_000, data: { code } } });
}

test('what failed is announced, and can be tried again', async () => {
  const onRetry = vi.fn();
  const user = show(<ErrorState error={failure('TIMEOUT', 'The report took too long.')} onRetry={onRetry} />);
  expect(screen.getByRole('alert').textContent).toBe('The report took too long.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
});

test('a missing permission is shown without a retry', () => {
  show(<ErrorState error={failure('FORBIDDEN', 'Only owners see this.')} onRetry={() => undefined} />);
  screen.getByText('Only owners see this.');
  expect(screen.queryByRole('button')).toBeNull();
});
