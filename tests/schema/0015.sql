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
INSERT INTO "ask" VALUES(1,X'01A1F588CDCF7000A221F7C08CB105E9',1,'local',1,1,1,'closed',NULL,'cli-1a1f588cd90-7612-8738349e5ca2341f',4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1795120746121,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1F588CE967000918A690BDB3250EA',1,'local',2,1,1,'closed',NULL,'cli-1a1f588ce96-7666-635436c5449f296f',7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1795120746348,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1F588CF7C70008F9391F6FC7A65C6',1,'local',3,1,2,'completed',1795120747364,'cli-1a1f588cf7b-76af-e31cf03d416d7835',10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1795120747366,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1F588D37A7000A25C08FE9BF7AAF6',2,'local',1,1,0,'showing',NULL,'cli-1a1f588cd90-7612-8738349e5ca2341f',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1F588D3A77000BF770869D509BE75',2,'local',4,1,0,'showing',NULL,'cli-1a1f588d3a6-76f5-a442a2a548faf82e',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKEFE00A48FQR26B21F9","session_name":"conversation","owner":"local","asked_by":"01a1f588cdb07000b02c69dc2a153fdd","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f588cd90-7612-8738349e5ca2341f","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1795120745935,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKMPE00932K91FDK4M7A","session_name":"conversation","owner":"local","asked_by":"01a1f588cdb07000b02c69dc2a153fdd","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f588ce96-7666-635436c5449f296f","reply_in":"full"},"fingerprint":"1:9ae0d48533e19615a4abe951fc32041b","asked_at":1795120746134,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKVWE008Z4WHYVY7MSE6","session_name":"conversation","owner":"local","asked_by":"01a1f588cdb07000b02c69dc2a153fdd","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"idempotency_key":"cli-1a1f588cf7b-76af-e31cf03d416d7835","reply_in":"full"},"fingerprint":"1:e14d9cc2830057dbba52ae0addca2db6","asked_at":1795120746364,"deadline":1795120747364,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7TRHMVTE00VNJE81T6XHE6Y","ask":"ask_01M7TRHMVTE00A4Q08ZTDZFAQP","session_name":"conversation","owner":"local","asked_by":"01a1f588cdb07000b02c69dc2a153fdd","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f588cd90-7612-8738349e5ca2341f","reply_in":"full"},"fingerprint":"1:7cd13422bb134c13acfd62d711b1371d","asked_at":1795120747386,"state":"pending","reopens":"ask_01M7TRHKEFE00A48FQR26B21F9"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7TRHMVTE00VNJE81T6XHE6Y","ask":"ask_01M7TRHMX7E00BYXR8D7AGKFKN","session_name":"conversation","owner":"local","asked_by":"01a1f588cdb07000b02c69dc2a153fdd","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","idempotency_key":"cli-1a1f588d3a6-76f5-a442a2a548faf82e","reply_in":"full"},"fingerprint":"1:391ecd9a2e12fff21079ed83998649db","asked_at":1795120747431,"state":"pending"}');
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
INSERT INTO "fact" VALUES(1,1795120745935,'session_opened',1,NULL,NULL,X'C938D04A33F0DE0C0BDF8F51786CDA68',X'4FA245D3522D36BAD39AB2B0750D88D21E7D4B47B6C65F4852DC04F359DC1A4D',X'41162D4881E8E9470E6850ED5953EA2DC7BE32FE1484B78CA32D4F0102692A21','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1795120745935,"last_activity":1795120745935}');
INSERT INTO "fact" VALUES(2,1795120745935,'asked',1,1,1,X'F3B37A33931B3B482CA62DCFBE2BB7A8',X'7A9DA85C9378599A3123C58D72D2100DC7A733B2FB0BD08D493960DC4F122EA6',X'EA054206431C2609CF9B6FBA4E228E4AEBAE01089EF7D023728AF4F368F06236',NULL);
INSERT INTO "fact" VALUES(3,1795120745935,'shown',1,2,1,X'1B7B73B41ED6F791A8ECFC77606B5A5E',X'9A50E75CD208D0F44B1DF1BC237574C4FA2EAD47CEE4C9AD7A5F36640A1AA9B7',X'B74B6F9BC6EA9E7E43D433DB999EDA43F09DF1BBD8C689778EA953E8DD44656F','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKEFE00A48FQR26B21F9"}');
INSERT INTO "fact" VALUES(4,1795120746121,'closed',1,3,1,X'B21455BA62A2B685EB12083141D6E70B',X'409D2487AF7933161B0046F3A2007C873088EDAFD7E1B561CB75097E8800B74C',X'31404833E2A2AB8FADED137F800C233C3CEFB3B2E8BFFAE9123135D1160B0F18','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKEFE00A48FQR26B21F9","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1795120746121,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1795120746134,'asked',1,4,2,X'5025558628C4944E9B48F5E723D415D7',X'8B50F2BC71433F8269B860BA8A0B89685C78FCF83AB441121128269FD130F0BA',X'5C5100ED15F9DF1A3547EA18009FF19DBEF1DBC1C5355752EA25E05CCD339FF5',NULL);
INSERT INTO "fact" VALUES(6,1795120746134,'shown',1,5,2,X'F967709F9AF84C6E8807BEC23CF51BE1',X'AB736C2C2422C486039BD6F2C908913055E55F27CB7A48D6DAE532F38E3F8210',X'D286DBD9E19FCAC98138F1E05CD4D1F3BAB2088BB6B43140E84DF577793933FA','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKMPE00932K91FDK4M7A"}');
INSERT INTO "fact" VALUES(7,1795120746348,'closed',1,6,2,X'73F88E19A62ECBC662750218138D9A63',X'3167CAB720C27568976E2B1D359200F3AAA84D4768C99BD5EB5039B412333F33',X'E1499C1CC8E26770F576871A516D9252268C078ED810C0B4222261235FD37FC4','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKMPE00932K91FDK4M7A","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"at":1795120746348,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1795120746364,'asked',1,7,3,X'603192EF025A5133B6E43904E4C29A18',X'4ACFE4A6AFFC828B2803E495A00C92DED2F233C5A409D39E6ADE9124222B7209',X'8390FECE478D239E9FF0D254C14E09136EF72C98085B8F0E2FF7782F2F5DF3B8',NULL);
INSERT INTO "fact" VALUES(9,1795120746364,'shown',1,8,3,X'716E5F85441165336E3FFA6820F98D0C',X'2B62FEEDFCF367A2B44C214B8DB34260DAE8879357FC178F679AFF63F0831523',X'DDED9DF8B4D13D85CA646B1E72D62916EC50E8748ADF75F46F125C91B1F86545','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKVWE008Z4WHYVY7MSE6"}');
INSERT INTO "fact" VALUES(10,1795120747366,'closed',1,9,3,X'C9901820E7170BBD96EECCE5128F17F1',X'11F1FB079E7130FFB827DB2D77821C0A1DFDC4005CDAD01363AA42038FE0849C',X'A0CB0CD61D9D43DFCC5C5F9919EECAA92C4A5A2410D3ABAE1571D9041EB51144','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKVWE008Z4WHYVY7MSE6","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1795120747366,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1795120747370,'delivered',1,10,3,X'2907EA0E97FE20E178A6EA5DEB797560',X'0F8F5D3D614D7ADAC49BA17055A32067ABC18B74C0F301DFAF7EA86A553D84AE',X'EFF5C08D0D43B203A6AF337F5CCAF8C4A4DCD7E6FFF03AA7FFA2C3967C4A59CF','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKVWE008Z4WHYVY7MSE6"}');
INSERT INTO "fact" VALUES(12,1795120747370,'acknowledged',1,11,3,X'EE468451F483D2650DC821B3D2D8A5DC',X'9F51BC3A464B861455062A5542356E852090F9BEC6D361133DB2DFB584773D1F',X'52CFBDC30F520E92EE163D04714CBB3EFD0743841E2DEA2892E7D466DAA1FC6C','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","ask":"ask_01M7TRHKVWE008Z4WHYVY7MSE6"}');
INSERT INTO "fact" VALUES(13,1795120747386,'session_ended',1,12,NULL,X'A5626058550176E2A54B7A8B24DD8203',X'F94BC981A4479286FF1469A10B49CCF007B7C1B1335171CA4ED46B55FD5AD89F',X'6A95B04AF56F5DCFA0B038D00F96513C9E450D6F7D0D232EAC531EF116F81962','{"session":"ses_01M7TRHKEFE00SWW0KNVSBT0C6","status":"completed"}');
INSERT INTO "fact" VALUES(14,1795120747386,'session_opened',2,NULL,NULL,X'8BB1496EF621164D03191FD80FAA1FF8',X'8DBA39D264FFD2167A19A1B17865AC740DEC1100DAD1B844BDB805164FF8C486',X'7D1427B03296D948242C489FFCD4661B108921B796B4F80B1C226F222EABEA22','{"session":"ses_01M7TRHMVTE00VNJE81T6XHE6Y","owner":"local","external_id":"conversation","origin":{"restored":"ses_01M7TRHKEFE00SWW0KNVSBT0C6"},"status":"active","round":3,"created_at":1795120747386,"last_activity":1795120747386,"restored_to":1795120745935,"restore_reason":"manual_recovery","last_round":{"fingerprint":"61bd5cdf7af063402552a9b2b0f9c740","depth":1,"at":1795120746364}}');
INSERT INTO "fact" VALUES(15,1795120747386,'asked',2,14,4,X'224E569354F33B4C1F7266733F8030D2',X'F100D23762156D4238359576E4C18D5F66EDD3F10C5282F88004370AFA0B7390',X'CAF5A3945141FB71E041FBFF5CACE990AB121A6E27AB78363BC2A38490457CBF',NULL);
INSERT INTO "fact" VALUES(16,1795120747386,'shown',2,15,4,X'7E303D9CE4EF9FFB74C0F32FAFF96E76',X'5627A6F306B2EED935A4B287DC1D0452CBA44AFD81DB426688D15DBA7EDA9C23',X'E440558A7D002BBCC4BC9A32B18DAAB43BB4A40108E6D827445FC72036338F88','{"session":"ses_01M7TRHMVTE00VNJE81T6XHE6Y","ask":"ask_01M7TRHMVTE00A4Q08ZTDZFAQP"}');
INSERT INTO "fact" VALUES(17,1795120747431,'asked',2,16,5,X'238FDE5FF30BEBE92B2CC5625ABF46D5',X'E2167138D0C95AF17A55EA92DFCF36E541862F0A2D20E6CBD3CA7B673DBFF0E5',X'313D1EAB497ECD3631499033D05A202AAD309BECB2F356EC4BC21065C8B43D8A',NULL);
INSERT INTO "fact" VALUES(18,1795120747431,'shown',2,17,5,X'A36E9E5C30C44F2AA4786A25248889A0',X'64BDA3A048A7026EBFC3F1D895DEED75CC49CDC0C68E4BF5A76AF557DAE95A9E',X'E732CB6B38756EE21267A318D7C60DBBEE0DA7D406958199D1B26B0BDE11F3F3','{"session":"ses_01M7TRHMVTE00VNJE81T6XHE6Y","ask":"ask_01M7TRHMX7E00BYXR8D7AGKFKN"}');
INSERT INTO "fact" VALUES(19,1795120747663,'session_opened',3,NULL,NULL,X'618A434FA512E90DF8B7F58049A7BDE2',X'C468B86D1E5D2EB2AA04460AB4A07091089DCB099A483EAEB00FE08F3DB75B84',X'66BA054D081B47F7A22ACAC3D0FEBF38939ACBBC554C7BF36A9799CA8B486C6D','{"session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","owner":"local","origin":"named","status":"active","round":0,"created_at":1795120747663,"last_activity":1795120747663}');
INSERT INTO "fact" VALUES(20,1795120747663,'task_changed',3,19,NULL,X'E3CA479A69C02D9D9ADA6A6D2BB76C90',X'6031A2F1F3C965E7E9480CB57C0D0758F8D7F99C97077FBF17A2A58DBB3EBBCF',X'65918806714CAC58DC75E06FB02B52DCC94835BDAC44A61E72E80E6CB8B51F5A','{"session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","by":{"user":"local","channel":"api","proof":"key_file","program":["/usr/local/bin/askuser",null]},"task":{"task":"task_01M7TRHN4FE00AG4AZ0KTQHA2J","session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_6T9HYVENYJW673J1N2HXGJSTJ7","created_at":1795120747663,"changed_at":1795120747663}}');
INSERT INTO "fact" VALUES(21,1795120747663,'said',3,20,NULL,X'79D05AEA1C2D710923A5A474379722BD',X'0DBE4FB27C8D917F3B5430C3E934A5C819D7D23876395198855F69CE1B3354AE',X'CCC440D3A7DA47B779E0E100835CA4D75F37FF2D9EC7462D0E855F98D5A9CCE7','{"session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","uuid":"01a1f588-d48f-7002-9358-64eea2e463ff","round":0,"at":1795120747663,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(22,1795120747665,'task_changed',3,21,NULL,X'D6A64F38F8EED6C7B59E33183796ABCD',X'D6FDD9EBC7C0D2CE922D4D557ED206F2FA82D66B915E70AFCBC6AA2007289943',X'7F04EB8AE3DFDFFAD8B8A5013594209BF0739CD4B5B9D686375DD1331F519CC0','{"session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7TRHN4FE00AG4AZ0KTQHA2J","session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_6T9HYVENYJW673J1N2HXGJSTJ7","pid":30462,"pid_started":2186131,"created_at":1795120747663,"changed_at":1795120747665}}');
INSERT INTO "fact" VALUES(23,1795120747671,'said',3,22,NULL,X'DF558ADD0EFD52547B1EF07EB162E361',X'06DE6CEFDE2436B8CED8E4D79E7BB3B8B96C7D8A70FB54D45BBA7921B94F096E',X'A2EC1591B62DEA278612C96B9EB691E4852E0E6DBDC01B9F00CCD9A66CB140DE','{"session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","uuid":"01a1f588-d496-7000-abdd-40824793eb6b","parent":"01a1f588-d48f-7002-9358-64eea2e463ff","round":0,"at":1795120747671,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(24,1795120747673,'task_changed',3,23,NULL,X'5D6B91BF9CDCC775E8A4A680EC6455C2',X'41B193EA722AFAC8CF9CBC8C782BA8EA3A3E83EF56D47BA1692F1541AB33C2FA',X'2A6DD52E34EAB1872EE751A8527BE7B535605B92B198547FC05850F35B97B10E','{"session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7TRHN4FE00AG4AZ0KTQHA2J","session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_6T9HYVENYJW673J1N2HXGJSTJ7","created_at":1795120747663,"changed_at":1795120747673}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,24,X'2A6DD52E34EAB1872EE751A8527BE7B535605B92B198547FC05850F35B97B10E');
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
INSERT INTO "key" VALUES(1,X'01A1F588CDB07000B02C69DC2A153FDD',X'7A1FC730FF205A30D821E5C581A09631120CFC459D5E046B0233A7B4648D0E01','agent',1,'local',1795120745904,NULL);
INSERT INTO "key" VALUES(2,X'01A1F588CDB57000862B2570BF4ED18B',X'2A864B3660D45C4B6DEAB60158026A631573109ADB8944994BFCDE5F308084EB','person',1,'local',1795120745909,NULL);
INSERT INTO "key" VALUES(3,X'01A1F588CDBD7000A674182CB4438CC8',X'488CE073BCFCAC8961CF49CBB9C7F13AB72A66D4CA1A1405D6D6E72E7DE92B5B','admin',1,'local',1795120745917,NULL);
INSERT INTO "key" VALUES(4,X'01A1F588D4867000844DB549FDA11038',X'3EE8197470CB54246B1307DB8848EB94794D6949C6D68A243C4C95E55E3FF045','agent',2,'made by hand',1795120747654,NULL);
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
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(10,'rules','4f0dabe9841551264126fb07575a7ac4b4bff37a7dc5595b0cb0e052a7163dde',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(11,'timing','aa1b71de9212808276bcf7c7d56573313753d4a0ddc0fd25c827bcb3674e08d0',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(12,'standing','af8e51b68d9cd2f6ee8cdc6cc3b36ad047f9f83b61ad64dcf731f309cfc48a87',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(13,'confirming','fad3334da6f4f6ad07fb462fd9c2918d65d184c9c4a79884bfd956bddcf6d8bb',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(14,'browsers','44b45dfdef2952061e717749048172e48058193706d9cc7854527a831a334d8c',1795120745877,'0.1.0');
INSERT INTO "schema_migration" VALUES(15,'restoring','21f6a277b7b672211b5e2e72d08aba92cc5792299d55a31e565170ecda1011d4',1795120745877,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_event" VALUES(1,1795120745896,'file_changed','medium','{"file":"config.yaml","server":"srv_6T9HYVENYJW673J1N2HXGJSTJ7","before":null,"after":"370e59e857fa9858f1a45249718eed8f493d464fe1497f58674e79816b5daefb"}',X'7BABDAD22614C00CCF3D60D429D96130661649ECAE49CDB21B800862A38041D0');
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,1,X'7BABDAD22614C00CCF3D60D429D96130661649ECAE49CDB21B800862A38041D0');
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
INSERT INTO "session" VALUES(1,X'01A1F588CDCF70019E7013AEF2BD0186','local','conversation',1,'named',NULL,'completed',3,NULL,1795120745935,1795120747386,X'61BD5CDF7AF063402552A9B2B0F9C740',1,1795120746364,0,NULL,13,NULL,NULL,NULL);
INSERT INTO "session" VALUES(2,X'01A1F588D37A7001BAC9C80E8DD8B8DE','local','conversation',0,'restored',X'01A1F588CDCF70019E7013AEF2BD0186','active',4,NULL,1795120747386,1795120747431,X'4383E1B57F926610B46BB4B43B0C063F',1,1795120747431,2,'manual_recovery',18,NULL,NULL,1795120745935);
INSERT INTO "session" VALUES(3,X'01A1F588D48F7001AEDA1D677C09F2DE','local',NULL,0,'named',NULL,'active',0,NULL,1795120747663,1795120747673,NULL,NULL,NULL,0,NULL,24,NULL,NULL,NULL);
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
INSERT INTO "task" VALUES(3,X'01A1F588D48F7000A8115F04F578A852','local','failed','{"task":"task_01M7TRHN4FE00AG4AZ0KTQHA2J","session":"ses_01M7TRHN4FE00TXPGXCXY0KWPY","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_6T9HYVENYJW673J1N2HXGJSTJ7","created_at":1795120747663,"changed_at":1795120747673}',X'01A1F588D4967000ABDD40824793EB6B',X'DA4C7DB757D2E18E3906A28F612CEA47');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1795120745899,NULL);
INSERT INTO "user" VALUES(2,'ben',1795120747642,NULL);
CREATE TABLE watched_file (
    n INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB,
    at INTEGER NOT NULL,
    UNIQUE (server, name)
) STRICT;
INSERT INTO "watched_file" VALUES(1,'srv_6T9HYVENYJW673J1N2HXGJSTJ7','config.yaml',X'370E59E857FA9858F1A45249718EED8F493D464FE1497F58674E79816B5DAEFB',1795120745896);
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
