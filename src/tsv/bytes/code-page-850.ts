/** DOS code page 850, in which programs of laboratories write text that are older than Windows. The encoding standard of the web does not have it. */

/** As it is named by IANA, and what it is called beside. */
export const CODE_PAGE_850 = 'ibm850';
const LABELS: ReadonlySet<string> = new Set([CODE_PAGE_850, 'cp850', '850', 'ibm-850', 'cp-850', 'dos-850']);

/** Characters of the bytes from 0x80 on. */
const HIGH =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ' +
  'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
  'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

export const isCodePage850 = (label: string): boolean => LABELS.has(label.trim().toLowerCase());

/** `bytes`: a character of each. */
export const fromCodePage850 = (bytes: string): string =>
  bytes.replace(/[\u0080-\u00ff]/g, (byte) => HIGH.charAt(byte.charCodeAt(0) - 0x80));
