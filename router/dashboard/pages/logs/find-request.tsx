import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useOrganization } from '../../session.tsx';
import { requestIdIn } from '../../format/request-id.ts';

/** Opens the page of the request whose id is pasted here. */
export function FindRequest() {
  const organization = useOrganization();
  const navigate = useNavigate();
  const id = useId();
  const [isWrong, setWrong] = useState(false);
  const find = (text: string) => {
    const request = requestIdIn(text);
    setWrong(request === null);
    if (request === null) return;
    void navigate({ to: '/$organization/logs/$request', params: { organization, request } });
  };
  return (
    <Form className="grid gap-1.5" onSend={(text) => find(text('request'))}>
      <div className="flex w-full max-w-xl gap-2">
        <label htmlFor={id} className="sr-only">
          Request ID
        </label>
        <input
          id={id}
          name="request"
          autoComplete="off"
          spellCheck={false}
          placeholder="Request ID, such as req_… or chatcmpl-…"
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-fault` : undefined}
          className="h-8.5 max-sm:h-11 w-full min-w-0 rounded-md border border-line-strong bg-panel px-2.5 font-mono text-sm text-ink placeholder:font-sans placeholder:text-muted/70 aria-invalid:border-bad"
        />
        <Button type="submit">
          <Search />
          Find
        </Button>
      </div>
      {isWrong && (
        <p id={`${id}-fault`} className="text-xs text-bad" role="alert">
          This is not the ID of a request. It begins with req_, chatcmpl-, cmpl-, resp_ or msg_.
          Every response has it as the header x-request-id, and every error as request_id.
        </p>
      )}
    </Form>
  );
}
