-- A database as askuser 0.1.0 wrote it (schema 15). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE answer_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    ask BLOB NOT NULL,
    user INTEGER NOT NULL REFERENCES user (n),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE TABLE "ask" (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing BETWEEN 0 AND 2),
    state TEXT NOT NULL,
    -- When something is next to happen to it by itself.
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT,
    erased_at INTEGER,
    people TEXT
) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1F5008C1B7000AE2675AD36F1C2CC',1,'local',1,1,1,'closed',NULL,'cli-1a1f5008b22-1d6e-a064a8ad78cdb591',4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/before-bin/askuser",null]},"at":1795111816261,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1F5008C5C7000A99069B83EB4B0EB',1,'local',2,1,1,'closed',NULL,'cli-1a1f5008c5a-1d8e-8ec880a4debe63c8',7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/before-bin/askuser",null]},"at":1795111816503,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1F5008D5D7000B8AD0F4FABDD8BAB',1,'local',3,1,2,'completed',1795111817541,'cli-1a1f5008d5b-1daa-c99522b9d98b38e2',10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1795111817542,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1F5009179700091A4E6523B5BC965',2,'local',1,1,0,'showing',NULL,'cli-1a1f5008b22-1d6e-a064a8ad78cdb591',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1F50091997000851A4847D698110B',2,'local',4,1,0,'showing',NULL,'cli-1a1f5009197-1de7-8c0e746c7d325f7a',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG130VE00AW9KNNMVF3GPC","session_name":"conversation","owner":"local","asked_by":"01a1f5008bd97000889657921107f2d5","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f5008b22-1d6e-a064a8ad78cdb591","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1795111816223,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG132WE00AK439Q0ZB9C7B","session_name":"conversation","owner":"local","asked_by":"01a1f5008bd97000889657921107f2d5","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f5008c5a-1d8e-8ec880a4debe63c8","reply_in":"full"},"fingerprint":"1:9ae0d48533e19615a4abe951fc32041b","asked_at":1795111816284,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG13AXE00BHB8F9YNXV2XB","session_name":"conversation","owner":"local","asked_by":"01a1f5008bd97000889657921107f2d5","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"idempotency_key":"cli-1a1f5008d5b-1daa-c99522b9d98b38e2","reply_in":"full"},"fingerprint":"1:e14d9cc2830057dbba52ae0addca2db6","asked_at":1795111816541,"deadline":1795111817541,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7TG14BSE00S5XGQZZNQT04N","ask":"ask_01M7TG14BSE0093976A8XNQJB5","session_name":"conversation","owner":"local","asked_by":"01a1f5008bd97000889657921107f2d5","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f5008b22-1d6e-a064a8ad78cdb591","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1795111817593,"state":"pending","reopens":"ask_01M7TG130VE00AW9KNNMVF3GPC"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7TG14BSE00S5XGQZZNQT04N","ask":"ask_01M7TG14CSE008A6J88ZB9G48B","session_name":"conversation","owner":"local","asked_by":"01a1f5008bd97000889657921107f2d5","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f5009197-1de7-8c0e746c7d325f7a","reply_in":"full"},"fingerprint":"1:391ecd9a2e12fff21079ed83998649db","asked_at":1795111817625,"state":"pending"}');
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;
INSERT INTO "ask_question" VALUES(1,'q1',1);
INSERT INTO "ask_question" VALUES(1,'q2',2);
INSERT INTO "ask_question" VALUES(1,'q3',3);
INSERT INTO "ask_question" VALUES(2,'q1',4);
INSERT INTO "ask_question" VALUES(2,'q5',5);
CREATE TABLE browser (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE confirmed_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, digest)
) STRICT;
CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    -- The proof of whoever made its link: `terminal`, `cookie`, `key_file`, `as_person`.
    made_with TEXT NOT NULL,
    name TEXT NOT NULL,
    -- What the browser says of itself.
    user_agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    -- Up to when its person was told, in this browser, of others that signed in.
    told_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "fact" (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO "fact" VALUES(1,1795111816223,'session_opened',1,NULL,NULL,X'5AEA42712ABB2BC283E88DB46C81F503',X'9318C57B5CCA548B948FEB69C3E38281972CD24EC4E2FE477B66DC71531C3B1E',X'943CE8DACBBE3578239D92C2037B4AABABF7E5A58F0EE332636387A83568DFFF','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1795111816223,"last_activity":1795111816223}');
INSERT INTO "fact" VALUES(2,1795111816223,'asked',1,1,1,X'754880182A3D15483FDAF5E698DE1758',X'C7E15D277F51F9D3D2C9F6D4D4F68E24BF40ECF28C104D46872CFE18892AD5F6',X'A97984BE24336CF2091E7087327CA1E915403B7CCD3633FB4EA8AC45C3A45996',NULL);
INSERT INTO "fact" VALUES(3,1795111816223,'shown',1,2,1,X'9713203706E299EE7C6B95B642C6D88B',X'C978ADD0079FE1E0E908A3E75AEA61A2B8164D4167A0F297884897FEB7434A8B',X'F8F3DE8F46D49003802D21467A639FD827E3819D632718DC50FFA607B76183A6','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG130VE00AW9KNNMVF3GPC"}');
INSERT INTO "fact" VALUES(4,1795111816261,'closed',1,3,1,X'490F7BB4F61EEB5668510F856C8CE103',X'BADB9720DDA8F6FDE6C6858DC32F7126BA65E17BCEDEF1DB0E28BFCCEF2E3ACC',X'070A64A3D89D3E91EB3E2D08DE763CB97B89F890B9B6BE84E238C601A6E2D69F','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG130VE00AW9KNNMVF3GPC","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/before-bin/askuser",null]},"at":1795111816261,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1795111816284,'asked',1,4,2,X'8C2C73C7870F4C67E0C7177E3A3FAC95',X'DFDC1EC52C9C84C427068F0448FB4FE3A09E21793A7438E1782FF5C541E21FCE',X'8C002EDE092481C05F3AFCCEA843488D5D566536641810E44A85D57D09E4CDA9',NULL);
INSERT INTO "fact" VALUES(6,1795111816284,'shown',1,5,2,X'52CC7BFC96BF4D3F88DFF92CDFA75F61',X'31145DBD59D7D8C5A3F4DDA307757F6ED5D1B1008F74FED8F39AF63895C6BB83',X'95415CCAC2C5CB286319A3419910E4E193D7FFAE24392637466116D8E70D7FA5','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG132WE00AK439Q0ZB9C7B"}');
INSERT INTO "fact" VALUES(7,1795111816503,'closed',1,6,2,X'41E962A7796E3834E22E89A921405CCA',X'46E08B0513D58987CA145BEF4546E597B4903CFDF52384B39F46DC40E2C03B5A',X'817F469E6D0C5607C61B0DB110B8A7D6A0D79E8DCB91250582A322C5E33DBC28','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG132WE00AK439Q0ZB9C7B","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/before-bin/askuser",null]},"at":1795111816503,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1795111816541,'asked',1,7,3,X'F69AD8FF0238FE20B2223F5BC31130D7',X'390E2853191611581CC09E90DD89443D058FEA2124D6B7CDEDEEDF4F702F3CA9',X'765B26C6CAF13346D9D45DE8F6E5A9E787C9270EB12238BE27B1677FDBD7EAD3',NULL);
INSERT INTO "fact" VALUES(9,1795111816541,'shown',1,8,3,X'1037A31DE62921ACF04FEA07EADE1018',X'5333F66F55CD729720EA4EA0937D9F11E231B214D0A22A6ADA5AD437C9CD21B7',X'7DA7079F06CFDA599ADD5578CCFAC71FA2C390308866C2406022A84A46F597D0','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG13AXE00BHB8F9YNXV2XB"}');
INSERT INTO "fact" VALUES(10,1795111817542,'closed',1,9,3,X'470569B3381D2E6A045419F889562E6E',X'C0B2465014549F5D8FB445B4EC70D83E04053944D3CDB3470CB02D0218DFAA57',X'970B99B05D8A4CBA35E395B36F15AB839814941AEB268A00E00E7BCCA2AC1E45','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG13AXE00BHB8F9YNXV2XB","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1795111817542,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1795111817557,'delivered',1,10,3,X'8AB1E53201EAAD7FF6D650CC84A954E6',X'53897650899AFFB42A1CF71276EFD81ABC95B335055FD801A829F6D8A26E90E9',X'5FED1CBB5B9EFFC1CA8322CD822FA0B9A6711E1A0A46C2851D17CA65E982FE2F','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG13AXE00BHB8F9YNXV2XB"}');
INSERT INTO "fact" VALUES(12,1795111817557,'acknowledged',1,11,3,X'29BE4979BB1C571D166E90DB8AEFDC74',X'9182CBADB8217D16323CB6E9A9A54361140FDBE69A94F59A08DBABEAEE1B106F',X'DB1B485F8765FCE5D008E94E2EB07CD9C55DEB3CBD101F6C4D6219E647C25966','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","ask":"ask_01M7TG13AXE00BHB8F9YNXV2XB"}');
INSERT INTO "fact" VALUES(13,1795111817593,'session_ended',1,12,NULL,X'A3E94AF26BA8E4B4FF03C4F19E574319',X'A39CC69BE4187F55666C6C44D54895EAE3DC5F4A92AF012A54C1007D689310B2',X'B9F23E4E3060436E7AC13C9E239B8A9B6F1ABD7144265447E5EEE5C31B140A11','{"session":"ses_01M7TG130VE00TNVFBMYNE4TEF","status":"completed"}');
INSERT INTO "fact" VALUES(14,1795111817593,'session_opened',2,NULL,NULL,X'248892F73D7649D62461EC77F4A4BBDC',X'7BAC6421463248F2785FFE4464D4D7CD2E3ED4B6C8FCF2FF29BF2D705084F9E1',X'07912CA4500DC1770B961542E08E62172861B97419BBB3FD26CE929BA1B8BB6F','{"session":"ses_01M7TG14BSE00S5XGQZZNQT04N","owner":"local","external_id":"conversation","origin":{"restored":"ses_01M7TG130VE00TNVFBMYNE4TEF"},"status":"active","round":3,"created_at":1795111817593,"last_activity":1795111817593,"restored_to":1795111816223,"restore_reason":"manual_recovery","last_round":{"fingerprint":"61bd5cdf7af063402552a9b2b0f9c740","depth":1,"at":1795111816541}}');
INSERT INTO "fact" VALUES(15,1795111817593,'asked',2,14,4,X'C144061B773887F7025CA91ACE92FDEB',X'AFB5B17CEF5E388C970963C6A3BA359E039EADB244D0DEDE546062808CC7278E',X'C1F6A9D98D19B01D2A96D1ACED3F0ECB7E1E73C9B7B9E8D2B855E3DE257BA1D4',NULL);
INSERT INTO "fact" VALUES(16,1795111817593,'shown',2,15,4,X'9F6DECCE5835B85D74CB5C6A66E2EB86',X'489E83F2C040DB71A58768CD3FCCB06CDC018F3D7D0A368778CCAF31114A8995',X'860D58611AF57CA00C9211C8176D6F59058EA64C9F59AD3E972707C62E60A819','{"session":"ses_01M7TG14BSE00S5XGQZZNQT04N","ask":"ask_01M7TG14BSE0093976A8XNQJB5"}');
INSERT INTO "fact" VALUES(17,1795111817625,'asked',2,16,5,X'8003E51AF77AC86628A326AFC8731349',X'2850400360B8702D68FE748936C1890CCF2229BCE3966CB75EB5B382E59E1521',X'60AF7D5240A07487315BD104B865CF46192B122FC095AAD2FA887BF477E1727F',NULL);
INSERT INTO "fact" VALUES(18,1795111817625,'shown',2,17,5,X'19C3B7367E6F214F150E8BDBF26B73FE',X'673F1F27AB80B5A1763F2621C543809DDB13DBFF27A83E07930E9CD8F4BE6711',X'920FDFC286D83A46D55F578D042BF507572E508800C5603F85569D871DCEE444','{"session":"ses_01M7TG14BSE00S5XGQZZNQT04N","ask":"ask_01M7TG14CSE008A6J88ZB9G48B"}');
INSERT INTO "fact" VALUES(19,1795111817939,'session_opened',3,NULL,NULL,X'47B8A563DD60E17E4FC320AAE4280577',X'8DAB1B2023202FB8FCFDFBB7C0489B62ED244269E39038268BB666090E5DDCC5',X'C7F7A03FB2C41975C4072C2B08E7CC6F3A780626B2372E9F8D5E7EC831670C52','{"session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","owner":"local","origin":"named","status":"active","round":0,"created_at":1795111817939,"last_activity":1795111817939}');
INSERT INTO "fact" VALUES(20,1795111817939,'task_changed',3,19,NULL,X'EAC2206B885473F850A94E28E57AD470',X'8854F0B52EFD84C2A0CDDEB4B39E9D4FB03A91934DD59C9D489661ACF8CB5A71',X'4EAE7116138D3AAE347F74E3BB3015D369BFDCF77FF3CB4879AD885241F6E465','{"session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","by":{"user":"local","channel":"api","proof":"key_file","program":["/tmp/h/store-tmp/before-bin/askuser",null]},"task":{"task":"task_01M7TG14PKE0090PNVVP6133ED","session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_42BTQYGMZDSAKV93TXBEWGYMHJ","created_at":1795111817939,"changed_at":1795111817939}}');
INSERT INTO "fact" VALUES(21,1795111817939,'said',3,20,NULL,X'0DFA2212606BDA62317179F81410481F',X'84012FA23EEC3259122688FA8A4D5EC5C88928811CD13BB535B8EC3F893F11E4',X'9125ADA94470D8A00F1020752CFEC4382DDDAECAE5AD0C09C0BD8D4C66BE483D','{"session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","uuid":"01a1f500-92d3-7002-b3b9-12e9f85c1325","round":0,"at":1795111817939,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(22,1795111817946,'task_changed',3,21,NULL,X'F4CD0FECDEB313D6D69C9306A860EE99',X'EEEB271D2008ADA6034D656F63979E978CCA63E3EB34B149DF444D5B8DAFAC65',X'8FB5F28B0AE2E59B4A1D3000A54388564D4B72077F038A6244E5B13FC6794B68','{"session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7TG14PKE0090PNVVP6133ED","session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_42BTQYGMZDSAKV93TXBEWGYMHJ","pid":7680,"pid_started":1293158,"created_at":1795111817939,"changed_at":1795111817946}}');
INSERT INTO "fact" VALUES(23,1795111817956,'said',3,22,NULL,X'074964221F62FC9DAD565DEA58847991',X'334BFA46EACEADB16D620CA336ADFD297A82AA71B71C0B9BBF2D4CD1EDC8010B',X'84EF877B566256745D1080A976EFB817AE417E79B1E39EC3921BB5E89FA5FF3B','{"session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","uuid":"01a1f500-92e3-7000-9f58-342fd6068980","parent":"01a1f500-92d3-7002-b3b9-12e9f85c1325","round":0,"at":1795111817956,"kind":"error","text":"the agent ended before its work was done (exit status: 98)"}');
INSERT INTO "fact" VALUES(24,1795111817965,'task_changed',3,23,NULL,X'FDAB35D2C8D33B2B7BDAC07AF21AA831',X'061E8B383C821441B85977721A2107BCD1D54BD5A4A7B2269398EB22ED367F3C',X'037FED215AE5D327F888CE88772DF6B5FD8E566751D91C6ED59CF14E5C9D0744','{"session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7TG14PKE0090PNVVP6133ED","session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98)","n_runs":1,"server":"srv_42BTQYGMZDSAKV93TXBEWGYMHJ","created_at":1795111817939,"changed_at":1795111817965}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,24,X'037FED215AE5D327F888CE88772DF6B5FD8E566751D91C6ED59CF14E5C9D0744');
CREATE TABLE key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    user INTEGER NOT NULL REFERENCES user (n),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "key" VALUES(1,X'01A1F5008BD97000889657921107F2D5',X'E83DE37AF79559259A2AB706F0A6E240AEDAE4B5FFEAEA0183F3581AA3B11F5E','agent',1,'local',1795111816153,NULL);
INSERT INTO "key" VALUES(2,X'01A1F5008BE67000BCE67EC5731C42FB',X'3F7618F22C5138D2F6BA05E4331B0E5A57E17EB5E51F99E4C74D26F029C692BF','person',1,'local',1795111816166,NULL);
INSERT INTO "key" VALUES(3,X'01A1F5008BFD70008FCAC07B2BEB9A8C',X'33AEB59BA6D7D4842684A9D4279A9CD4EC4C7CD9985CEA64EE08B98FBDDA662D','admin',1,'local',1795111816189,NULL);
INSERT INTO "key" VALUES(4,X'01A1F50092A87000ADF64BB70093CC4D',X'6FCCFCD8F6775E644BBCA29FB3FBCFD8734026BF9AE8F1707A8123987C0F8B57','agent',2,'made by hand',1795111817896,NULL);
CREATE TABLE login_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
, made_with TEXT NOT NULL DEFAULT 'key_file') STRICT;
CREATE TABLE made_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, ask, place)
) STRICT;
CREATE TABLE nudge (
    n INTEGER PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    UNIQUE (ask, person, step, channel)
) STRICT;
CREATE TABLE push_key (
    n INTEGER PRIMARY KEY CHECK (n = 1),
    pkcs8 BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT;
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(10,'rules','4f0dabe9841551264126fb07575a7ac4b4bff37a7dc5595b0cb0e052a7163dde',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(11,'timing','aa1b71de9212808276bcf7c7d56573313753d4a0ddc0fd25c827bcb3674e08d0',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(12,'standing','af8e51b68d9cd2f6ee8cdc6cc3b36ad047f9f83b61ad64dcf731f309cfc48a87',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(13,'confirming','fad3334da6f4f6ad07fb462fd9c2918d65d184c9c4a79884bfd956bddcf6d8bb',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(14,'browsers','44b45dfdef2952061e717749048172e48058193706d9cc7854527a831a334d8c',1795111816028,'0.1.0');
INSERT INTO "schema_migration" VALUES(15,'restoring','21f6a277b7b672211b5e2e72d08aba92cc5792299d55a31e565170ecda1011d4',1795111816028,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_event" VALUES(1,1795111816142,'file_changed','medium','{"file":"config.yaml","server":"srv_42BTQYGMZDSAKV93TXBEWGYMHJ","before":null,"after":"d1d9d1b03c75d3e2a71f6542a8c01424e50d769953851b1482ac7f72e08b7cd6"}',X'53B6E472B5CB9BFDAFC5E12691C388FDD45AA515C778DDBF9CE79F05D3FF6F3C');
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,1,X'53B6E472B5CB9BFDAFC5E12691C388FDD45AA515C778DDBF9CE79F05D3FF6F3C');
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
, restore_reason TEXT, last_fact INTEGER, timeout_ms INTEGER, timeout_policy TEXT, restored_to INTEGER) STRICT;
INSERT INTO "session" VALUES(1,X'01A1F5008C1B7001AAEDEBA7AAE269CF','local','conversation',1,'named',NULL,'completed',3,NULL,1795111816223,1795111817593,X'61BD5CDF7AF063402552A9B2B0F9C740',1,1795111816541,0,NULL,13,NULL,NULL,NULL);
INSERT INTO "session" VALUES(2,X'01A1F5009179700192F617FFEB7D0095','local','conversation',0,'restored',X'01A1F5008C1B7001AAEDEBA7AAE269CF','active',4,NULL,1795111817593,1795111817625,X'4383E1B57F926610B46BB4B43B0C063F',1,1795111817625,2,'manual_recovery',18,NULL,NULL,1795111816223);
INSERT INTO "session" VALUES(3,X'01A1F50092D37001A2D658548E5DEA6C','local',NULL,0,'named',NULL,'active',0,NULL,1795111817939,1795111817965,NULL,NULL,NULL,0,NULL,24,NULL,NULL,NULL);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
, server BLOB) STRICT;
INSERT INTO "task" VALUES(3,X'01A1F50092D37000905ABBDD8C118DCD','local','failed','{"task":"task_01M7TG14PKE0090PNVVP6133ED","session":"ses_01M7TG14PKE00T5NJRAJ75VTKC","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98)","n_runs":1,"server":"srv_42BTQYGMZDSAKV93TXBEWGYMHJ","created_at":1795111817939,"changed_at":1795111817965}',X'01A1F50092E370009F58342FD6068980',X'825EAFE853EDCAA7B48F5D5BB90F5232');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1795111816145,NULL);
INSERT INTO "user" VALUES(2,'ben',1795111817859,NULL);
CREATE TABLE watched_file (
    n INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB,
    at INTEGER NOT NULL,
    UNIQUE (server, name)
) STRICT;
INSERT INTO "watched_file" VALUES(1,'srv_42BTQYGMZDSAKV93TXBEWGYMHJ','config.yaml',X'D1D9D1B03C75D3E2A71F6542A8C01424E50D769953851B1482AC7F72E08B7CD6',1795111816142);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
CREATE INDEX browser_user ON browser (user);
CREATE INDEX made_rule_mark ON made_rule (person, mark);
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX cookie_user ON cookie (user);
COMMIT;
