-- A database as askuser 0.1.0 wrote it (schema 16). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE access_key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    person TEXT NOT NULL REFERENCES person (name),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "access_key" VALUES(1,X'01A1F589ECF3700092B06DE9D27BA5A4',X'CBCBDEBAD74F0A5FED37CE21D9E4BAE888C77056CD2AC58D106AE66A650AAB41','agent','local','local',1795120819443,NULL);
INSERT INTO "access_key" VALUES(2,X'01A1F589ECF470008C41F2C1F08052AD',X'05EBE30EFC48D746A5EDEBFEF021A8D86C213ED4B6E4EA7A593E4B603897FEEA','person','local','local',1795120819444,NULL);
INSERT INTO "access_key" VALUES(3,X'01A1F589ECF4700181D3D554ECFFC9FE',X'556763CBA4E23E9EDDD03ABF63498335E8A520C502D7180D1FF853345B2C7789','admin','local','local',1795120819444,NULL);
INSERT INTO "access_key" VALUES(4,X'01A1F589F3A57000B4B7B6C47A05ADDC',X'FA93548FC6F884223C6B537E4C0772077622F0AA15FF2459FABC756A496FB690','agent','ben','made by hand',1795120821157,NULL);
CREATE TABLE "answer_link" (
    hash BLOB NOT NULL PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL REFERENCES person (name),
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
INSERT INTO "ask" VALUES(1,X'01A1F589ECFD7000B853487D7023300C',1,'local',1,1,1,'closed',NULL,'cli-1a1f589ecc0-a9d-5c5188599f40e02a',4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1795120819612,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1F589EDAC70008E7802FE5617592F',1,'local',2,1,1,'closed',NULL,'cli-1a1f589edaa-aac-c57cb76978d84726',7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1795120819841,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1F589EE9E700084155CE56C8FFBD6',1,'local',3,1,2,'completed',1795120820870,'cli-1a1f589ee9c-ab2-8a314175818738eb',10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1795120820872,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1F589F29D7000B72386A40CA61080',2,'local',1,1,0,'showing',NULL,'cli-1a1f589ecc0-a9d-5c5188599f40e02a',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1F589F2AD7000B82307509B2766B3',2,'local',4,1,0,'showing',NULL,'cli-1a1f589f2ab-abe-8f0399db6998f05c',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKV7XE00BGMT8FNR26C0C","session_name":"conversation","owner":"local","asked_by":"01a1f589ecf3700092b06de9d27ba5a4","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f589ecc0-a9d-5c5188599f40e02a","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1795120819453,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKVDCE008WY02ZSB1EP9F","session_name":"conversation","owner":"local","asked_by":"01a1f589ecf3700092b06de9d27ba5a4","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f589edaa-aac-c57cb76978d84726","reply_in":"full"},"fingerprint":"1:9ae0d48533e19615a4abe951fc32041b","asked_at":1795120819628,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKVMYE00885AWWNP8ZYYP","session_name":"conversation","owner":"local","asked_by":"01a1f589ecf3700092b06de9d27ba5a4","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"idempotency_key":"cli-1a1f589ee9c-ab2-8a314175818738eb","reply_in":"full"},"fingerprint":"1:e14d9cc2830057dbba52ae0addca2db6","asked_at":1795120819870,"deadline":1795120820870,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7TRKWMXE00RVFEEP4A4WSR0","ask":"ask_01M7TRKWMXE00BE8W6MG6AC440","session_name":"conversation","owner":"local","asked_by":"01a1f589ecf3700092b06de9d27ba5a4","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f589ecc0-a9d-5c5188599f40e02a","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1795120820893,"state":"pending","reopens":"ask_01M7TRKV7XE00BGMT8FNR26C0C"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7TRKWMXE00RVFEEP4A4WSR0","ask":"ask_01M7TRKWNDE00BG8R7A2DJESNK","session_name":"conversation","owner":"local","asked_by":"01a1f589ecf3700092b06de9d27ba5a4","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f589f2ab-abe-8f0399db6998f05c","reply_in":"full"},"fingerprint":"1:391ecd9a2e12fff21079ed83998649db","asked_at":1795120820909,"state":"pending"}');
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
CREATE TABLE "browser" (
    hash BLOB NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (name),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE "confirmed_rule" (
    person TEXT NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (person, digest)
) STRICT;
CREATE TABLE "cookie" (
    hash BLOB NOT NULL PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES person (name),
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
INSERT INTO "fact" VALUES(1,1795120819453,'session_opened',1,NULL,NULL,X'85B5C9AA38B2F0C9131D7343A5F459E6',X'3260CEDF00DF2BF340B59D25356C2687411FEE10B42740B1AD3467639DC31242',X'9DA7E4C1E67E6AB5F7FAD613746014C96D04C3246D5551D7B9AE6D4306575635','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1795120819453,"last_activity":1795120819453}');
INSERT INTO "fact" VALUES(2,1795120819453,'asked',1,1,1,X'5720B6C60FAF365AA42D503503789B26',X'26CE74BD475573B15EEBCEC6E820F83115C29ED5F5FFD896A674F76F4AC707F3',X'233CC355455F87D335D9705834C716FD73EC5558B8C1D90CCE776020CD4A39CF',NULL);
INSERT INTO "fact" VALUES(3,1795120819453,'shown',1,2,1,X'35E812C9E6EC358527E857CA888E1583',X'4CE5C64434DAAEE10B5EA3FDA3AAD2EA8460423DA4EE2C61A5AC8DE688BDF51E',X'73C6EBE5E8E8DD69089EE6B0F2058E78BC80FD51F1D761FB64D57379047CB1E3','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKV7XE00BGMT8FNR26C0C"}');
INSERT INTO "fact" VALUES(4,1795120819612,'closed',1,3,1,X'3A734D4158BF925FC1C8AB3056B7A6B0',X'D1A9D1D7C66674DAE40C9DAD5C3D137D817618F22D990CE0011C65E476DAD4A5',X'3F3D3C6223FD0DF1BA7AC3C0F71CC2322D0DB07715AEE01760C40E772727A010','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKV7XE00BGMT8FNR26C0C","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1795120819612,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1795120819628,'asked',1,4,2,X'E5B19025020860EBFCE785166C1729FB',X'0BAED17383A399A538DB2E965B87294AFF6C35C63235D7E57DDA2994C888A99C',X'F47D6535430E7453EE27DBFE186A01D50A9449F89AB3301976D97D2542117DD7',NULL);
INSERT INTO "fact" VALUES(6,1795120819628,'shown',1,5,2,X'A268B789B451A8312E5E1B7C8F8021A2',X'4592456DA1C319AB02DD63F90F42BF99D6373FF9515915C3985A4BA36E03DFAD',X'9244CC28D89680C2DAF11055858C5CE13729395CAB5F827AB902E58238EE8D15','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKVDCE008WY02ZSB1EP9F"}');
INSERT INTO "fact" VALUES(7,1795120819841,'closed',1,6,2,X'BC117C9EAF8F8904D01331BCEDCE723C',X'1445198C76C050FE26664F1C7F99746A2B03AFE64C53D1B59916021A5B89855F',X'D94E7CF64C21B3D0ED3145AC3710A06409E956A1E56964628FB4FA753C25FC3F','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKVDCE008WY02ZSB1EP9F","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1795120819841,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1795120819870,'asked',1,7,3,X'EDA0ACDA3B454603F8F116C8B1F76269',X'779DCD94C67BCC338E74107D8DB6E0FF8B997F0AC5E3A5A19DC6CF848713DDBF',X'E34BF39D0E830765E4DC2FCAD7D1A9986DD605E2C471B93C80901E3B4EF3D328',NULL);
INSERT INTO "fact" VALUES(9,1795120819870,'shown',1,8,3,X'D0C5B605F83E80A7A9F42B4FB780E8FB',X'80169C62C892CE984F1F239F3C2BD52DF26C85077B8F046048CDDD18E5D8DB92',X'76EC5F2F1EBB0AA91E82FD1EA38846B50F3E3CD8A843AC25357EE498C1257255','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKVMYE00885AWWNP8ZYYP"}');
INSERT INTO "fact" VALUES(10,1795120820872,'closed',1,9,3,X'7F9AC75BBE5A4FEC65535FBFD1ED4C60',X'429D66B130BA75620EADA1EE1DC094B80FE81DB7CE809026978ED26416D17732',X'7D703649945F1A31F25A88F83FA4363D814380F3D24D4A9101D5ECF3998E5B2D','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKVMYE00885AWWNP8ZYYP","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1795120820872,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1795120820876,'delivered',1,10,3,X'4FF64D1B9AD8EDBF7D877A07BF215791',X'8BD3059BC31E71E9403D1EFFE91AB915009195EE34C18CFC65EEF43291C5904B',X'D2129E4E3DFB8BCF9E05A8078CB6008D532D9E94A4628DE80E4E0BFA98741CFD','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKVMYE00885AWWNP8ZYYP"}');
INSERT INTO "fact" VALUES(12,1795120820876,'acknowledged',1,11,3,X'A80CD16ACC67F5846330BCDD350427C5',X'C3E8A36D9869C53361CF2F015D0D2089DEDB24AC7F6934932C2A6C3D0C0CC4DA',X'B71E5FA6B5BC1897A7AE012D52A0BDC682AB5B22B061CABD4A228FBCA0D66634','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","ask":"ask_01M7TRKVMYE00885AWWNP8ZYYP"}');
INSERT INTO "fact" VALUES(13,1795120820893,'session_ended',1,12,NULL,X'F810592BC6B9692F98B991E90B74D454',X'088294EE2D55D8392F10520660DFD2C2400D28E56586795C28583D0FCFF99FC5',X'D5327F7D280E7DA383622868780980087756B581F31BB013CCB306B4035A8850','{"session":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN","status":"completed"}');
INSERT INTO "fact" VALUES(14,1795120820893,'session_opened',2,NULL,NULL,X'FD30124ED2C5318301F72A305356ABE4',X'7C518AD37E195652877F0B687169CE868BD1BE50CECEE9B66D85FC1004C47B0E',X'2FE3967CDD60B8E51D131ACDE66C888520CC5038634ADEB97BDBEF2A5D82587B','{"session":"ses_01M7TRKWMXE00RVFEEP4A4WSR0","owner":"local","external_id":"conversation","origin":{"restored":"ses_01M7TRKV7XE00TD4Q6YRVBY8XN"},"status":"active","round":3,"created_at":1795120820893,"last_activity":1795120820893,"restored_to":1795120819453,"restore_reason":"manual_recovery","last_round":{"fingerprint":"61bd5cdf7af063402552a9b2b0f9c740","depth":1,"at":1795120819870}}');
INSERT INTO "fact" VALUES(15,1795120820893,'asked',2,14,4,X'8596010F7C0A29A150EA2E796421945C',X'103B9D9360D27359594E487E8417A7DC13209E8BDCD9E10F4787F41712F21550',X'4CFD57A305FA3C8D69F854C260DC7BBFA5ECE890056D59EB8C7C996171D37FCB',NULL);
INSERT INTO "fact" VALUES(16,1795120820893,'shown',2,15,4,X'A3B549D9CFCDB3E261638020E0D22FD1',X'9A644DF90A175610B9E31C863BB998A78C92590AB8B1A6CC9426AB911C851989',X'6EEA409B76896508E2207F667992CF51C9818B8BE814A5D18481DC881F8B4530','{"session":"ses_01M7TRKWMXE00RVFEEP4A4WSR0","ask":"ask_01M7TRKWMXE00BE8W6MG6AC440"}');
INSERT INTO "fact" VALUES(17,1795120820909,'asked',2,16,5,X'26AB040E549D9F196C3CC33FC8E56804',X'9B4D33D992C1D2D0310F3394344D9DCC19C6F1A5846D6BA15B6AFCB27188435C',X'CF0F8DE6BB79348FC1D50F70B2CCA0EA2DE9722A9317F57460759419995AF443',NULL);
INSERT INTO "fact" VALUES(18,1795120820909,'shown',2,17,5,X'987E1FE88B9972F08E289D15952C5C39',X'F9C7F9B5886C17B7D9DEB4ED4C510D72EDD86D5FB7B983C388E208A994A68FF6',X'96A25807C292E64FAAF58401DE4A642E97DDC9EFDDBDA211F6734DB833B64AE7','{"session":"ses_01M7TRKWMXE00RVFEEP4A4WSR0","ask":"ask_01M7TRKWNDE00BG8R7A2DJESNK"}');
INSERT INTO "fact" VALUES(19,1795120821178,'session_opened',3,NULL,NULL,X'1CFEB63B93EA2C7AFF55156B67E69EDF',X'086B1AECFFAE8F1CA04C05C7A777B8D8B821C9DF9C037CCC62A32E2B438E1D17',X'1ED766C53C7F1F3FBC03875D6B0E5033B4A6662EACEEC96813762E7B111E8C27','{"session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","owner":"local","origin":"named","status":"active","round":0,"created_at":1795120821178,"last_activity":1795120821178}');
INSERT INTO "fact" VALUES(20,1795120821178,'task_changed',3,19,NULL,X'9288E39D853D1C086F296184B3E5DE3B',X'6493480B6940610CFD8B2BFE9E24E23263B128E697C20C1B160AF8ECE868F0CA',X'98F86CDD6EB398B23AA8E222072A02412CB3F63914FC211D7056829533C4CA18','{"session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"task":{"task":"task_01M7TRKWXTE00AZ8TYF6XDCW5G","session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_7B85R02J588DM6N9ER9JSJZ3QK","created_at":1795120821178,"changed_at":1795120821178}}');
INSERT INTO "fact" VALUES(21,1795120821178,'said',3,20,NULL,X'ECE6EB191597ABC3CC139CDC8655417F',X'2F31618FDEC7C27B3C484E43BED13FA7AC702F03FC2CA2756E6F4E0A9E303C80',X'0C6D097F94CE7625CCA35C9B674B7D97CE44D893D636C2536BBEF75F8709BF55','{"session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","uuid":"01a1f589-f3ba-7002-8f26-7353e9dc0449","round":0,"at":1795120821178,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(22,1795120821184,'task_changed',3,21,NULL,X'89CE6131642D563614E91BE9D068221E',X'D2617736316CD72E1CD5D643B0FBD7CC5BDB3831EAD3E6B18CAE068E1F228736',X'6EBD71C3DAC060DC2CA7A41DC68DC73F43725F46AE75E7B31259B91E4A2FE62B','{"session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7TRKWXTE00AZ8TYF6XDCW5G","session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_7B85R02J588DM6N9ER9JSJZ3QK","pid":2754,"pid_started":2193482,"created_at":1795120821178,"changed_at":1795120821184}}');
INSERT INTO "fact" VALUES(23,1795120821188,'said',3,22,NULL,X'1E218A9161205A6AF4800A5ABD65AA86',X'A7CFEC4E08BF68E1C32E8963BFA84D672C216AE29199BDDEE6BDB86E81509C15',X'512ED256D21AEA95BAED435D644B03F6D8295B88E148481678EE25E3116B23F7','{"session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","uuid":"01a1f589-f3c4-7000-830e-9eb42c75c15e","parent":"01a1f589-f3ba-7002-8f26-7353e9dc0449","round":0,"at":1795120821188,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(24,1795120821190,'task_changed',3,23,NULL,X'66EC86EA9B2FDF65E794E0C4ED86F7E9',X'0D99A67E9CF86958140058C4CA937077D5C7048779FA31BA1F677ACA66EC568F',X'C8554CB5C58ACD3A3A445839D6D6950FFF2DA3D341AA5D9CF09C0BE07E47123F','{"session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7TRKWXTE00AZ8TYF6XDCW5G","session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_7B85R02J588DM6N9ER9JSJZ3QK","created_at":1795120821178,"changed_at":1795120821190}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,24,X'C8554CB5C58ACD3A3A445839D6D6950FFF2DA3D341AA5D9CF09C0BE07E47123F');
CREATE TABLE "login_link" (
    hash BLOB NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (name),
    expires_at INTEGER NOT NULL,
    made_with TEXT NOT NULL
) STRICT;
CREATE TABLE "made_rule" (
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (person, ask, place)
) STRICT;
CREATE TABLE "nudge" (
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    PRIMARY KEY (ask, person, step, channel)
) STRICT;
CREATE TABLE person (
    name TEXT NOT NULL PRIMARY KEY,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "person" VALUES('local',1795120819440,NULL);
INSERT INTO "person" VALUES('ben',1795120821144,NULL);
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
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(10,'rules','4f0dabe9841551264126fb07575a7ac4b4bff37a7dc5595b0cb0e052a7163dde',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(11,'timing','aa1b71de9212808276bcf7c7d56573313753d4a0ddc0fd25c827bcb3674e08d0',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(12,'standing','af8e51b68d9cd2f6ee8cdc6cc3b36ad047f9f83b61ad64dcf731f309cfc48a87',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(13,'confirming','fad3334da6f4f6ad07fb462fd9c2918d65d184c9c4a79884bfd956bddcf6d8bb',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(14,'browsers','44b45dfdef2952061e717749048172e48058193706d9cc7854527a831a334d8c',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(15,'restoring','21f6a277b7b672211b5e2e72d08aba92cc5792299d55a31e565170ecda1011d4',1795120819402,'0.1.0');
INSERT INTO "schema_migration" VALUES(16,'names','2671289440b71e32735ebac0e61c5f00bf122118da366a821bed11e05c241629',1795120819402,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_event" VALUES(1,1795120819438,'file_changed','medium','{"file":"config.yaml","server":"srv_7B85R02J588DM6N9ER9JSJZ3QK","before":null,"after":"0c14bfd1061e4285e82d641b47d0f9711afda0c4c4f2d10f06a8589ae9092eaa"}',X'74FFBED56903CB7A2560D233695A8FF99EFCCA87E1FC1F2DDB58B3CC7B296EDC');
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,1,X'74FFBED56903CB7A2560D233695A8FF99EFCCA87E1FC1F2DDB58B3CC7B296EDC');
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
INSERT INTO "session" VALUES(1,X'01A1F589ECFD7001A692E6F636BF23B5','local','conversation',1,'named',NULL,'completed',3,NULL,1795120819453,1795120820893,X'61BD5CDF7AF063402552A9B2B0F9C740',1,1795120819870,0,NULL,13,NULL,NULL,NULL);
INSERT INTO "session" VALUES(2,X'01A1F589F29D70018DBDCEB1144E6700','local','conversation',0,'restored',X'01A1F589ECFD7001A692E6F636BF23B5','active',4,NULL,1795120820893,1795120820909,X'4383E1B57F926610B46BB4B43B0C063F',1,1795120820909,2,'manual_recovery',18,NULL,NULL,1795120819453);
INSERT INTO "session" VALUES(3,X'01A1F589F3BA700185C691A210C34BB2','local',NULL,0,'named',NULL,'active',0,NULL,1795120821178,1795120821190,NULL,NULL,NULL,0,NULL,24,NULL,NULL,NULL);
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
INSERT INTO "task" VALUES(3,X'01A1F589F3BA7000AFA35E79BAD670B0','local','failed','{"task":"task_01M7TRKWXTE00AZ8TYF6XDCW5G","session":"ses_01M7TRKWXTE00RBHMHM88C6JXJ","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_7B85R02J588DM6N9ER9JSJZ3QK","created_at":1795120821178,"changed_at":1795120821190}',X'01A1F589F3C47000830E9EB42C75C15E',X'EB41700148A843686AA5D84CB32F8EF3');
CREATE TABLE "watched_file" (
    server TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB,
    at INTEGER NOT NULL,
    PRIMARY KEY (server, name)
) STRICT;
INSERT INTO "watched_file" VALUES('srv_7B85R02J588DM6N9ER9JSJZ3QK','config.yaml',X'0C14BFD1061E4285E82D641B47D0F9711AFDA0C4C4F2D10F06A8589AE9092EAA',1795120819438);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX cookie_person ON cookie (person);
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
CREATE INDEX browser_person ON browser (person);
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX made_rule_mark ON made_rule (person, mark);
COMMIT;
