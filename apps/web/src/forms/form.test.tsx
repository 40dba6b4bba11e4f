// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { useState } from 'react';
import { beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { button, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { Form } from './form.tsx';
import { FormActions } from './form-dialog.tsx';
import { type Answer, useForm } from './use-form.ts';

const page = openDashboard('?mode=test');

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'must not be empty')),
  networks: z.pipe(
    z.string(),
    z.transform((text) => text.split('\n')),
  ),
  life: z.enum(['short', 'long']),
});
const LIVES = [
  { value: 'short', label: 'Short' },
  { value: 'long', label: 'Long' },
] as const;
const NEW: z.input<typeof schema> = { name: '', networks: '', life: 'short' };

const send = vi.fn<(sent: unknown, changed: unknown) => Promise<Answer>>();
let store: (values: z.input<typeof schema>) => void;

function KeyForm({ opened = NEW, hasNetworks = true }: { opened?: z.input<typeof schema>; hasNetworks?: boolean }) {
  const [stored, setStored] = useState(opened);
  store = setStored;
  const form = useForm({
    schema,
    values: stored,
    aliases: { expiresAt: 'life' },
    onSubmit: (sent, { changed }) => send(sent, changed),
  });
  return (
    <Form form={form}>
      <form.Text name="name" label="Name" />
      {hasNetworks && <form.Area name="networks" label="Networks" />}
      <form.Radio name="life" label="Expires" choices={LIVES} />
      <output aria-label="Status">{form.isDirty ? 'Unsaved' : 'Saved'}</output>
      <button type="button" onClick={form.discard}>
        Discard
      </button>
      <FormActions action="Save" />
    </Form>
  );
}

/** A form whose submission finds that another person has stored something else. */
function StaleForm() {
  const [stored, setStored] = useState({ name: 'Till' });
  const form = useForm({
    schema: z.object({ name: z.string() }),
    values: stored,
    async onSubmit() {
      await act(async () => setStored({ name: 'Shop' }));
      form.discard();
      return null;
    },
  });
  return (
    <Form form={form}>
      <form.Text name="name" label="Name" />
    </Form>
  );
}

beforeEach(() => {
  send.mockReset();
  send.mockResolvedValue(null);
});

test('a submission that answers nothing does not compile: an outcome that is not read cannot pass for a success', () => {
  expectTypeOf<void>().not.toExtend<Answer>();
  expectTypeOf<undefined>().not.toExtend<Answer>();
});

test('Enter sends what the schema reads from what was entered', async () => {
  const user = page.show(<KeyForm />);
  await user.type(field('Networks'), 'a{Enter}b');
  await user.click(radio('Long'));
  await user.type(field('Name'), ' Checkout {Enter}');
  const sent = { name: 'Checkout', networks: ['a', 'b'], life: 'long' };
  await waitFor(() => expect(send.mock.calls).toEqual([[sent, sent]]));
});

test('a field that was edited says what is wrong as soon as it is left, and no more once it is edited', async () => {
  const user = page.show(<KeyForm />);
  await user.click(field('Name'));
  await user.tab();
  expect(field('Name').getAttribute('aria-invalid')).toBe('false');
  await user.type(field('Name'), 'a{Backspace}');
  await user.tab();
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  await user.type(field('Name'), 'b');
  expect(field('Name').getAttribute('aria-invalid')).toBe('false');
});

test('nothing is sent while a field is wrong, which has the focus', async () => {
  const user = page.show(<KeyForm />);
  await user.click(button('Save'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  await waitFor(() => expect(document.activeElement).toBe(field('Name')));
  expect(send).not.toHaveBeenCalled();
});

test("the server's problems are beside their fields, the first has the focus, and what was entered stays", async () => {
  send.mockResolvedValueOnce([
    { field: 'networks.1', message: 'must be a network' },
    { field: 'networks.2', message: 'must be a network' },
    { field: 'expiresAt', message: 'must lie in the future' },
  ]);
  const user = page.show(<KeyForm />);
  await user.type(field('Networks'), 'a');
  await user.type(field('Name'), 'Checkout{Enter}');
  await expectProblem('textbox', 'Networks', 'Must be a network.');
  await expectProblem('group', 'Expires', 'Must lie in the future.');
  await waitFor(() => expect(document.activeElement).toBe(field('Networks')));
  expect([field('Name').value, field('Networks').value]).toEqual(['Checkout', 'a']);
  await user.click(button('Save'));
  await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(field('Networks').getAttribute('aria-invalid')).toBe('false'));
});

test('a problem whose field is not in sight is said at the form', async () => {
  send.mockResolvedValueOnce([{ field: 'networks', message: 'must not be empty' }]);
  const user = page.show(<KeyForm hasNetworks={false} />);
  await user.type(field('Name'), 'Checkout{Enter}');
  await expectRefusal('Networks must not be empty.');
});

test.each([
  ['a sentence', () => Promise.resolve('There are too many keys.'), 'There are too many keys.'],
  ['a failed call', () => Promise.reject(new Error('The server did not answer.')), 'The server did not answer.'],
  ['anything else thrown', () => Promise.reject(null), 'Something went wrong. Try again.'],
])('%s is said once at the form, until something is changed', async (_, answer, sentence) => {
  send.mockImplementationOnce(answer);
  const user = page.show(<KeyForm />);
  await user.type(field('Name'), 'Checkout{Enter}');
  await expectRefusal(sentence);
  expect(screen.getAllByText(sentence)).toHaveLength(1);
  await user.type(field('Name'), '!');
  expect(screen.queryByText(sentence)).toBeNull();
});

test('an input that the server could not read is explained beside its fields', async () => {
  const problems = { name: ['must be plain text'] };
  send.mockRejectedValueOnce(
    TRPCClientError.from({ error: { code: -32_600, message: '[]', data: { code: 'BAD_REQUEST', httpStatus: 400, problems } } }),
  );
  const user = page.show(<KeyForm />);
  await user.type(field('Name'), 'Checkout{Enter}');
  await expectProblem('textbox', 'Name', 'Must be plain text.');
});

test('a second submission waits for the first: the button is busy meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  send.mockReturnValueOnce(promise);
  const user = page.show(<KeyForm />);
  await user.type(field('Name'), 'Checkout{Enter}{Enter}');
  await screen.findByRole('button', { name: 'Save', busy: true });
  await user.type(field('Name'), '{Enter}');
  await act(async () => resolve(null));
  expect(button('Save').disabled).toBe(false);
  expect(send).toHaveBeenCalledTimes(1);
});

test('only fields that were edited count as changed; the others follow what another person stores', async () => {
  const user = page.show(<KeyForm opened={{ ...NEW, name: 'Till' }} />);
  await user.type(field('Networks'), 'a');
  await act(async () => store({ ...NEW, name: 'Shop' }));
  expect([field('Name').value, field('Networks').value]).toEqual(['Shop', 'a']);
  await user.click(button('Save'));
  await waitFor(() => expect(send.mock.calls.at(-1)?.[1]).toEqual({ networks: ['a'] }));
  await act(async () => store({ ...NEW, name: 'Shop', networks: 'a' }));
  screen.getByText('Saved');
  await act(async () => store({ ...NEW, name: 'Shop' }));
  expect(field('Networks').value).toBe('');
});

test('discarding shows what is stored, without problems', async () => {
  const user = page.show(<KeyForm opened={{ ...NEW, name: 'Till' }} />);
  await user.clear(field('Name'));
  await user.click(button('Save'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  screen.getByText('Unsaved');
  await user.click(button('Discard'));
  expect(field('Name').value).toBe('Till');
  expect(field('Name').getAttribute('aria-invalid')).toBe('false');
  screen.getByText('Saved');
});

test('discarding after the stored values have changed meanwhile shows the new ones', async () => {
  const user = page.show(<StaleForm />);
  await user.type(field('Name'), '!{Enter}');
  await waitFor(() => expect(field('Name').value).toBe('Shop'));
});

test('the dialog around asks before it closes with something unsaved, and only then', async () => {
  const onClose = vi.fn();
  const user = page.show(
    <Dialog title="Change the key" onClose={onClose}>
      <KeyForm />
    </Dialog>,
  );
  await user.type(field('Name'), 'Till');
  await user.click(button('Close'));
  await expectRefusal('What you entered is not saved.');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(button('Keep editing'));
  await user.clear(field('Name'));
  await user.click(button('Close'));
  expect(onClose).toHaveBeenCalledOnce();
});

test('a link of the page asks before it leaves with something unsaved, and is followed then', async () => {
  const followed = vi.fn();
  const user = page.show(
    <>
      <a
        href="/payments"
        onClick={(event) => {
          event.preventDefault();
          followed();
        }}
      >
        Payments
      </a>
      <KeyForm />
    </>,
  );
  const link = screen.getByRole('link', { name: 'Payments' });
  await user.type(field('Name'), 'Till');
  await user.click(link);
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.click(button('Keep editing'));
  expect(followed).not.toHaveBeenCalled();
  expect(field('Name').value).toBe('Till');
  await user.click(link);
  await user.click(screen.getAllByRole('button', { name: 'Discard' })[1] ?? link);
  expect(followed).toHaveBeenCalledOnce();
});

test('the browser asks before the window closes with something unsaved', async () => {
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const user = page.show(<KeyForm />);
  expect(leave()).toBe(false);
  await user.type(field('Name'), 'Till');
  expect(leave()).toBe(true);
});
