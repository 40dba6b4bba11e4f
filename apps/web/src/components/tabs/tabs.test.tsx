// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Controlled, openPage } from '#/testing/page.tsx';
import { Tabs } from './tabs.tsx';

const { show } = openPage();

const TABS = [
  { value: 'rules', label: 'Rules', count: 3 },
  { value: 'history', label: 'History' },
  { value: 'replay', label: 'Replay' },
] as const;

const shown = () => screen.getByRole('tab', { selected: true });

function showTabs() {
  return show(
    <Controlled<(typeof TABS)[number]['value']> initial="rules">
      {(value, change) => (
        <Tabs label="Routing" tabs={TABS} value={value} onChange={change}>
          The {value}
        </Tabs>
      )}
    </Controlled>,
  );
}

/** Presses a key and waits for the tab that it reaches, with its panel. */
async function press(user: ReturnType<typeof showTabs>, key: string, name: string, panel = name.toLowerCase()): Promise<void> {
  await user.keyboard(`{${key}}`);
  await waitFor(() => expect(shown()).toBe(screen.getByRole('tab', { name })));
  await waitFor(() => expect(document.activeElement).toBe(shown()));
  expect(screen.getByRole('tabpanel', { name }).textContent).toBe(`The ${panel}`);
}

test('the arrow keys go through the tabs and around their ends, and show what they reach', async () => {
  const user = showTabs();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Rules 3' }));
  await press(user, 'ArrowRight', 'History');
  await press(user, 'ArrowRight', 'Replay');
  await press(user, 'ArrowRight', 'Rules 3', 'rules');
  await press(user, 'ArrowLeft', 'Replay');
});

test('Home and End go to the first and the last tab', async () => {
  const user = showTabs();
  await user.click(screen.getByRole('tab', { name: 'History' }));
  expect(shown().textContent).toBe('History');
  await press(user, 'End', 'Replay');
  await press(user, 'Home', 'Rules 3', 'rules');
});

test('the tabs are one stop of the tab key, before their panel', async () => {
  const user = showTabs();
  await user.tab();
  expect(document.activeElement).toBe(shown());
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
});

test('the line of tabs has a name', () => {
  showTabs();
  screen.getByRole('tablist', { name: 'Routing' });
});
