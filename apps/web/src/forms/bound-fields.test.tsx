// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { checkbox, expectProblem, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { Form, SubmitButton } from './form.tsx';
import { useForm } from './use-form.ts';

const page = openDashboard('?mode=test');
const given = z.string().check(z.minLength(1, 'must not be empty'));
const schema = z.object({
  amount: given,
  secret: given,
  zone: z.pipe(z.nullable(z.enum(['UTC', 'Africa/Lagos'])), z.enum(['UTC', 'Africa/Lagos'], 'must be selected')),
  view: z.enum(['day', 'week']),
  day: given,
  moment: given,
  time: given,
  isOn: z.boolean(),
});
const ZONES = [
  { value: 'UTC', label: 'UTC' },
  { value: 'Africa/Lagos', label: 'Lagos' },
] as const;
const VIEWS = [
  { value: 'day', label: 'By day' },
  { value: 'week', label: 'By week' },
] as const;

function EveryField({ onSubmit }: { onSubmit: (sent: unknown) => void }) {
  const form = useForm({
    schema,
    values: { amount: '', secret: '', zone: null, view: 'day', day: '', moment: '2026-11-23T14:30', time: '', isOn: false },
    onSubmit(sent) {
      onSubmit(sent);
      return null;
    },
  });
  return (
    <Form form={form}>
      <form.Number name="amount" label="Amount" decimals={2} />
      <form.Secret name="secret" label="Password" />
      <form.Select name="zone" label="Zone" options={ZONES} />
      <form.Segmented name="view" label="View" choices={VIEWS} />
      <form.Date name="day" label="Day" />
      <form.DateTime name="moment" label="Moment" />
      <form.Time name="time" label="Quiet from" />
      <form.Checkbox name="isOn" label="On" />
      <SubmitButton>Save</SubmitButton>
    </Form>
  );
}

test('each control gives what was entered to the form: amounts and times as exact text', async () => {
  const onSubmit = vi.fn();
  const user = page.show(<EveryField onSubmit={onSubmit} />);
  await user.type(field('Amount'), '9007199254740993.25');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.click(await screen.findByRole('combobox', { name: /Zone/ }));
  await user.click(await screen.findByRole('option', { name: 'Lagos' }));
  await user.click(radio('By week'));
  await user.type(await screen.findByRole('textbox', { name: 'Day' }), '23 Nov 2026');
  await user.type(field('Quiet from'), '21:30');
  await user.click(checkbox('On'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(onSubmit.mock.lastCall?.[0]).toEqual({
      amount: '9007199254740993.25',
      secret: 'secret',
      zone: 'Africa/Lagos',
      view: 'week',
      day: '2026-11-23',
      moment: '2026-11-23T14:30',
      time: '21:30',
      isOn: true,
    }),
  );
});

test('each control shows its problem beside it', async () => {
  const onSubmit = vi.fn();
  const user = page.show(<EveryField onSubmit={onSubmit} />);
  await screen.findByRole('combobox', { name: /Zone/ });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expectProblem('textbox', 'Amount', 'Must not be empty.');
  await expectProblem('combobox', /Zone/, 'Must be selected.');
  await expectProblem('textbox', 'Day', 'Must not be empty.');
  await expectProblem('textbox', 'Quiet from', 'Must not be empty.');
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
  expect(onSubmit).not.toHaveBeenCalled();
});
