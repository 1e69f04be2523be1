/** How much a person may keep of chats in their account, in all their organizations together. */
export const keptChats = {
  chatsMax: 200,
  /** Of all chats, compressed. */
  bytesMax: 20 * 1024 * 1024,
  /** Of one chat, compressed and in base64url: 750 kB. It must fit into the body of a request. */
  contentsCharsMax: 1_000_000,
  titleCharsMax: 100,
} as const;
