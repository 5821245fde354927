import type { PageOutcome, PageSubmitted, PageSuggestions } from '../site/protocol.ts';
import type { SiteRequest } from '../site/requests.ts';

interface Results {
  readonly suggest: PageSuggestions;
  readonly send: PageOutcome;
  readonly useOnMessage: PageOutcome;
  readonly press: PageOutcome;
  readonly select: PageOutcome;
  readonly submit: PageSubmitted;
  readonly createChannel: { readonly id: string };
  readonly control: { readonly note: string };
}

type ResultOf<Do extends SiteRequest['do']> = Do extends keyof Results ? Results[Do] : null;

/**
 * Sends a request to the page's own server.
 *
 * @throws Error with a text for the person if the request cannot be fulfilled
 */
export async function ask<Request extends SiteRequest>(
  request: Request,
): Promise<ResultOf<Request['do']>> {
  const response = await fetch('/act', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  });
  const answer: { result: ResultOf<Request['do']>; error?: string } = await response.json();
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.result;
}

/** Returns a file in the format of requests. */
export async function fileOf(file: File): Promise<{ filename: string; base64: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return { filename: file.name, base64: btoa(text) };
}
