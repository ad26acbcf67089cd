import type { ReplyPhrases } from '../phrases.ts';

export const korean: ReplyPhrases = {
  language: 'ko',
  title: 'Korean',
  authors: ['김민수', '이영희'],
  senders: ['박지훈', '최수진'],
  greetings: ['안녕하세요,', '박지훈 님께', '안녕하십니까?', '최수진 팀장님,'],
  bodies: [
    '안내 감사합니다. 주문 4711을 취소해 주세요.',
    '빠른 답변 감사드립니다. 소포가 오늘 도착했습니다.\n\n영수증을 보내 주실 수 있나요?',
    '배송지를 아래 주소로 변경해 주세요.\n\n김민수\n서울특별시 강남구 테헤란로 12\n06234\n\n이사했기 때문입니다.',
    '미리 확인해 주셔서 감사하고 금요일까지 필요합니다',
    '네, 좋습니다.',
    '팀에도 감사하다고 전해 주세요.\n\n월요일 회의는 예정대로 합니다.',
  ],
  closings: [
    '감사합니다.',
    '감사합니다',
    '고맙습니다.',
    '좋은 하루 되세요.',
    '잘 부탁드립니다.',
    '감사합니다 / Best regards',
    '수고하세요.',
    '미리 감사드립니다.',
  ],
  contacts: [
    '영업부 과장\n주식회사 아크메\n전화: 02-1234-5678',
    '(주)아크메\n서울특별시 강남구 테헤란로 12\nwww.acme.example',
    '고객지원팀\nkim@acme.example',
    '휴대폰 010-1234-5678',
  ],
  footers: [
    '나의 iPhone에서 보냄',
    'iPhone에서 보냄',
    'iOS용 Outlook 다운로드<https://aka.ms/o0ukef>',
    '내 Galaxy에서 보냄',
    'Windows용 메일에서 보냄',
    'Android용 Outlook 받기',
  ],
  quotes: [
    '고객님,\n\n주문 4711이 오늘 발송되었습니다.\n\n아크메',
    '안녕하세요,\n\n무엇을 도와드릴까요?\n\n감사합니다.\n최수진',
  ],
  attributions: [
    ['Gmail', '2024년 3월 12일 (화) 오전 10:04, {name} <{address}>님이 작성:'],
    ['Gmail', '2024년 3월 12일 (화) 10:04, {name}님이 작성:'],
    ['Apple Mail', '2024. 3. 12. 오전 10:04, {name} <{address}> 작성:'],
    ['Yahoo web', '2024년 3월 12일 화요일 오전 10시 4분 5초 GMT+9에 {name} <{address}>님이 작성:'],
    ['Thunderbird', '2024-03-12 오전 10:04에 {name} 이(가) 쓴 글:'],
    ['Apple Mail', '2024년 3월 12일 오전 10:04, {name} <{address}> 작성:'],
  ],
  headers: [
    [
      'Outlook',
      '보낸 사람: {name} <{address}>\n보낸 날짜: 2024년 3월 12일 화요일 오전 10:04\n받는 사람: 김민수 <kim@b.example>\n제목: RE: 주문 4711',
    ],
    [
      'Outlook for Mac',
      '보낸 사람: {name} <{address}>\n날짜: 2024년 3월 12일 화요일 오전 10:04\n받는 사람: 김민수 <kim@b.example>\n참조: 이영희 <lee@b.example>\n제목: Re: 주문 4711',
    ],
    [
      'Samsung',
      '-------- 원본 메시지 --------보낸 사람: {name} <{address}> 날짜: 2024. 3. 12.  오전 10:04  (GMT+09:00) 받은 사람: kim@b.example 제목: Re: 주문 4711 ',
    ],
    [
      'Daum',
      '--------- 원본 메일 ---------\n보낸사람: {name} <{address}>\n받는사람 : 김민수 <kim@b.example>\n날짜: 2024년 3월 12일 화요일, 10시 04분 05초 +0900\n제목: 주문 4711',
    ],
  ],
  forwards: [
    [
      'Gmail',
      '---------- Forwarded message ---------\n보낸사람: {name} <{address}>\nDate: 2024년 3월 12일 (화) 오전 10:04\nSubject: 주문 4711\nTo: <kim@b.example>',
    ],
    [
      'Apple Mail',
      '전달된 메시지:\n\n보낸 사람: {name} <{address}>\n제목: 주문 4711\n날짜: 2024년 3월 12일 오전 10:04:05 GMT+9\n받는 사람: kim@b.example',
    ],
    [
      'Thunderbird',
      '-------- 전달된 메시지 --------\n제목: \t주문 4711\n날짜: \tTue, 12 Mar 2024 10:04:05 +0900\n보낸 사람: \t{name} <{address}>\n받는 사람: \tkim@b.example',
    ],
    [
      'Outlook',
      '보낸 사람: {name} <{address}>\n보낸 날짜: 2024년 3월 12일 화요일 오전 10:04\n받는 사람: 김민수 <kim@b.example>\n제목: 주문 4711',
    ],
  ],
};
