import { TextField } from '#/components/field/field.tsx';

/** The merchant's name, typed before a change of live routing. */
export function NameField({ merchant, typed, onType }: { merchant: string; typed: string; onType: (typed: string) => void }) {
  return (
    <TextField
      label={`To confirm, enter the merchant's name: ${merchant}`}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}

/** True if a typed name is the merchant's, whatever the case and the spaces around it. */
export function isNameOf(typed: string, merchant: string): boolean {
  return typed.trim().toLowerCase() === merchant.trim().toLowerCase();
}
