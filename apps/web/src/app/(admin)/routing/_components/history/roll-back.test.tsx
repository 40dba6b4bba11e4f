// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { button, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { openHookPage } from '#/testing/hook-page.ts';
import { RollBack, useRollBackTo } from './roll-back.tsx';

describe('roll back', () => {
  const page = openDashboard('?mode=live&merchant=m-1');
  const ROLL_BACK = 'routing.versions.rollBack';
  const onClose = vi.fn();

  beforeEach(() => {
    window.sessionStorage.clear();
    onClose.mockReset();
    page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Yaba Gadgets' }]);
    page.on('routing.access', () => ({ people: [{ staffId: 'ada', name: 'Ada' }], needsApproval: false, approvers: [] }));
    page.on('routing.live', () => ({ ruleSet: { version: 5 }, accounts: [] }));
  });

  async function showDialog() {
    const user = page.show(<RollBack version={2} current={5} onClose={onClose} />);
    await user.type(await screen.findByRole('textbox', { name: /merchant's name: Yaba Gadgets/ }), 'Yaba Gadgets');
    return user;
  }

  test('a version is rolled back to with a reason, which is then forgotten', async () => {
    page.on(ROLL_BACK, () => ({ kind: 'published', ruleSet: { version: 6 } }));
    const user = await showDialog();
    expect(button('Roll back to version 2').disabled).toBe(true);
    await user.type(field('Reason'), ' Too many declines ');
    await user.click(button('Roll back to version 2'));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    const command = { merchantId: 'm-1', mode: 'live', version: 2, baseVersion: 5, reason: 'Too many declines' };
    expect(page.calls(ROLL_BACK)).toEqual([command]);
    expect(window.sessionStorage.length).toBe(0);
  });

  test('a refusal is said, and the reason stays', async () => {
    page.on(ROLL_BACK, () => ({ kind: 'stale_base', publishedBy: 'staff:ada', currentVersion: 6 }));
    const user = await showDialog();
    await user.type(field('Reason'), 'Too many declines');
    await user.click(button('Roll back to version 2'));
    await expectRefusal('Ada published version 6 meanwhile. Review it first.');
    expect(onClose).not.toHaveBeenCalled();
    expect(field('Reason').value).toBe('Too many declines');
  });
});

describe('use roll back to', () => {
  const page = openHookPage('?mode=test&merchant=m-1');
  const ROLL_BACK = 'routing.versions.rollBack';

  beforeEach(() => {
    page
      .server()
      .on('routing.access', () => ({ people: [{ staffId: 'ada', name: 'Ada' }], needsApproval: false, approvers: [] }));
    page.server().on(ROLL_BACK, () => ({ kind: 'published', ruleSet: { version: 6 } }));
  });

  /** The question to roll back to version 2, opened while version 5 is active. */
  const open = () =>
    page.render(() => {
      const [inForce, publish] = useState(5);
      return { publish, ask: useRollBackTo(2, inForce) };
    });

  test('a version that is published while the question is open is not what it replaces', async () => {
    const { result, act } = await open();
    await act(() => result.current.publish(6));
    expect(result.current.ask.current).toBe(5);
    page.server().on(ROLL_BACK, () => ({ kind: 'stale_base', publishedBy: 'staff:ada', currentVersion: 6 }));
    await act(() =>
      expect(result.current.ask.rollBack('Too many declines')).rejects.toThrow('Ada published version 6 meanwhile.'),
    );
    expect(page.server().calls(ROLL_BACK)).toMatchObject([{ version: 2, baseVersion: 5, reason: 'Too many declines' }]);
  });

  test('the way back leads to the version that was replaced, from the one that replaced it', async () => {
    const { result, act } = await open();
    await act(() => result.current.ask.rollBack('Too many declines'));
    await act(() => result.current.publish(6));
    const toast = shownToasts().at(-1);
    expect(toast?.text).toBe('The rules of version 2 are active again, as version 6.');
    expect(toast?.action?.label).toBe('Back to 5');
    await act(() => toast?.action?.run());
    expect(page.server().calls(ROLL_BACK).at(-1)).toMatchObject({ version: 5, baseVersion: 6 });
  });

  test('a draft that waits for approval replaces nothing, and offers no way back', async () => {
    page.server().on(ROLL_BACK, () => ({ kind: 'needs_approval' }));
    const { result, act } = await open();
    await act(() => result.current.ask.rollBack('Too many declines'));
    expect(shownToasts().at(-1)).toMatchObject({ text: 'A draft of version 2 waits for approval by a second person.' });
    expect(shownToasts().at(-1)?.action).toBeUndefined();
  });
});
