/** The images of a chat, as base64 data URIs. */
import { hash } from 'node:crypto';
import type { z } from 'zod';
import { fieldPath, type UserPart } from '../../../shared/api/inference.ts';
import type { Images } from '../../catalog/requested-features.ts';
import type { Path } from './well-formed.ts';

type ImagePart = Extract<z.infer<typeof UserPart>, { type: 'image_url' }>;

const DATA_URI = /^data:image\/(?:png|jpeg|jpg|webp|gif);base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Some encoders write base64 in lines. The agent joins them. */
const LINE_BREAKS = /[\r\n]+/g;

export function isImagePart(part: Readonly<{ type: string }>): part is ImagePart {
  return part.type === 'image_url';
}

export class ImageCount {
  #count = 0;
  #bytes = 0;
  #first: string | null = null;
  #notTaken: string | null = null;

  add(url: string, part: Path): void {
    this.#count += 1;
    const unbroken = url.replaceAll(LINE_BREAKS, '');
    // In the body, a line break is an escape of two bytes.
    this.#bytes += 2 * url.length - unbroken.length;
    if (this.#first !== null && (this.#notTaken !== null || isImage(unbroken))) return;
    const param = fieldPath([...part, 'image_url', 'url']);
    this.#first ??= param;
    if (!isImage(unbroken)) this.#notTaken ??= param;
  }

  found(): Images {
    const [count, bytes] = [this.#count, this.#bytes];
    return { count, bytes, first: this.#first, notTaken: this.#notTaken };
  }
}

function isImage(url: string): boolean {
  const head = DATA_URI.exec(url.slice(0, 64));
  if (!head) return false;
  const data = url.slice(head[0].length);
  return data.length % 4 === 0 && BASE64.test(data);
}

/**
 * A replacer for JSON.stringify: replaces images by their hashes. An image has few tokens for its
 * many characters. As text, it would count as most of the prompt.
 */
export function imagesAsHashes(key: string, value: unknown): unknown {
  if (key !== 'url' || typeof value !== 'string' || !value.startsWith('data:')) return value;
  return hash('sha1', value, 'base64');
}
