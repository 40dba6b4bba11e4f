import fields from './field.module.css';
import { Field } from './field.tsx';

/** The merchant's name, typed before a change of live routing. */
export function NameField({ merchant, typed, onType }: { merchant: string; typed: string; onType: (typed: string) => void }) {
  return (
    <Field label={`To confirm, enter the merchant's name: ${merchant}`} notes={[]}>
      {(described) => (
        <input
          className={fields.input}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
          {...described}
        />
      )}
    </Field>
  );
}

/** Whether a typed name is the merchant's, whatever the case and the spaces around it. */
export function isNameOf(typed: string, merchant: string): boolean {
  return typed.trim().toLowerCase() === merchant.trim().toLowerCase();
}
